/* comms.h — the communicators that tests of communication run on, one list for all of them. */
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
    test(dup);
    MPI_Comm_free(&dup);
    comms_split(test, 0, -rank);                 /* reversed */
    comms_split(test, rank < (size + 1) / 2, 0); /* halves */
    comms_split(test, rank % 2, size - rank);    /* odd and even, reversed */
    comms_split(test, rank == 0, 0);             /* one alone, the others together */
}

#endif /* COMMS_H */
