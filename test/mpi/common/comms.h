/* comms.h — the list of communicators on which the communication tests run. */
#ifndef COMMS_H
#define COMMS_H

#include "mpitest.h"

typedef void comms_test(MPI_Comm comm);

static inline void comms_split(comms_test *test, int color, int key)
{
    MPI_Comm comm;

    CHECK(MPI_Comm_split(MPI_COMM_WORLD, color, key, &comm) == MPI_SUCCESS);
    test(comm);
    CHECK(MPI_Comm_free(&comm) == MPI_SUCCESS);
    CHECK(comm == MPI_COMM_NULL);
}

/* Tests a communicator, and frees it. */
static inline void comms_end(comms_test *test, MPI_Comm comm)
{
    if (comm == MPI_COMM_NULL)
        return;
    test(comm);
    CHECK(MPI_Comm_free(&comm) == MPI_SUCCESS);
}

/* A ring whose processes the library may reorder. */
static inline void comms_cart(comms_test *test, int size)
{
    const int periodic = 1;
    MPI_Comm comm;

    CHECK(MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 1, &comm) == MPI_SUCCESS);
    comms_end(test, comm);
}

/* The even and the odd processes, merged from an intercommunicator of both. */
static inline void comms_merged(comms_test *test, int rank)
{
    MPI_Comm half, inter, comm;

    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
    CHECK(MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 1, &inter) == MPI_SUCCESS);
    CHECK(MPI_Intercomm_merge(inter, rank % 2 == 0, &comm) == MPI_SUCCESS);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
    comms_end(test, comm);
}

/* All processes but the first; only these call. */
static inline void comms_group(comms_test *test, int rank)
{
    int first = 0;
    MPI_Group all, others;
    MPI_Comm comm = MPI_COMM_NULL;

    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_excl(all, 1, &first, &others);
    if (rank > 0)
        CHECK(MPI_Comm_create_group(MPI_COMM_WORLD, others, 5, &comm) == MPI_SUCCESS);
    if (others != MPI_GROUP_EMPTY)
        MPI_Group_free(&others);
    MPI_Group_free(&all);
    comms_end(test, comm);
}

/* Collective over MPI_COMM_WORLD: each process calls test on every communicator it is a member
 * of. */
static inline void comms_each(comms_test *test)
{
    MPI_Comm dup;
    int rank, size;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    test(MPI_COMM_WORLD);
    test(MPI_COMM_SELF);
    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    comms_end(test, dup);
    comms_split(test, 0, -rank);                 /* reversed */
    comms_split(test, rank < (size + 1) / 2, 0); /* halves */
    comms_split(test, rank % 2, size - rank);    /* odd and even, reversed */
    comms_split(test, rank == 0, 0);             /* one alone, the others together */
    comms_cart(test, size);
    comms_group(test, rank);
    if (size > 1)
        comms_merged(test, rank);
}

#endif /* COMMS_H */
