/* coll_test.h — what the tests of collective operations share. */
#ifndef COLL_TEST_H
#define COLL_TEST_H

#include "comms.h"

struct me { /* this process in a communicator */
    MPI_Comm comm;
    int rank, size;
};

static inline struct me whoami(MPI_Comm comm)
{
    struct me m = { .comm = comm };

    MPI_Comm_rank(comm, &m.rank);
    MPI_Comm_size(comm, &m.size);
    return m;
}

/* Element i of a rank in a round of a test. */
static inline int value(int rank, int i, int round)
{
    return (rank + 1) * 10007 + i * 31 + round % 1000 * 1009;
}

/* Numbers of ints: none, few, odd, and more than every limit for algorithms for small data. */
static const int counts[] = { 0, 1, 3, 257, 5003, 70001 };
enum { COUNTS = sizeof counts / sizeof *counts };

static inline int *ints(int n) { return mpitest_memory((size_t) n * sizeof(int)); }

/* The values of a rank, in memory that the caller frees. */
static inline int *values(int rank, int n, int round)
{
    int *v = ints(n);

    for (int i = 0; i < n; i++)
        v[i] = value(rank, i, round);
    return v;
}

static inline void check_values(const int *v, int rank, int n, int round)
{
    for (int i = 0; i < n; i++)
        CHECK_INT(v[i], value(rank, i, round));
}

/* Checks that memory of mpitest_memory() has not been written. */
static inline void check_untouched(const int *v, int n)
{
    for (int i = 0; i < n; i++)
        CHECK_INT(v[i], (int) 0xa5a5a5a5);
}

/* A type of every other one of 2 n ints. */
static inline MPI_Datatype every_other(int n)
{
    MPI_Datatype t;

    MPI_Type_vector(n, 1, 2, MPI_INT, &t);
    MPI_Type_commit(&t);
    return t;
}

#endif /* COLL_TEST_H */
