/* mpitest.h — CHECK for self-checking MPI programs, which must run under any MPI library.
 *
 * A program prints nothing and exits 0 when all is well; a failed CHECK names place, rank and
 * expression and ends the whole job with exit code 1. */
#ifndef MPITEST_H
#define MPITEST_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../../test_size.h"

#define CHECK(c)                                                                                   \
    do {                                                                                           \
        if (!(c))                                                                                  \
            mpitest_fail(__FILE__, __LINE__, #c);                                                  \
    } while (0)

/* As CHECK(a == b) for integers; prints both values. */
#define CHECK_INT(a, b) mpitest_equal(__FILE__, __LINE__, #a " == " #b, (a), (b))

static inline void mpitest_fail(const char *file, int line, const char *what)
{
    int rank = -1;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    fprintf(stderr, "%s:%d: rank %d: %s\n", file, line, rank, what);
    MPI_Abort(MPI_COMM_WORLD, 1);
    exit(1);
}

static inline void mpitest_equal(const char *file, int line, const char *what, long long a,
                                 long long b)
{
    char text[512];

    if (a == b)
        return;
    snprintf(text, sizeof text, "%s: %lld, %lld", what, a, b);
    mpitest_fail(file, line, text);
}

/* Fresh memory that is not 0, so that no result is right by accident. */
static inline void *mpitest_memory(size_t len)
{
    void *p = malloc(len ? len : 1);

    CHECK(p);
    return memset(p, 0xa5, len ? len : 1);
}

#endif /* MPITEST_H */
