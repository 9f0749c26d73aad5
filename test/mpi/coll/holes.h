/* holes.h — a user's operation on a type with a gap: adds the two outer ones of three ints. */
#ifndef HOLES_H
#define HOLES_H

#include "coll_test.h"

enum { HOLE = 0x77 };

struct holes {
    int first, hole, last;
};

static MPI_Datatype holes_seen; /* the handle that the function must get (C07) */

static inline void holes_function(void *in, void *inout, int *len, MPI_Datatype *type)
{
    const struct holes *x = in;
    struct holes *y = inout;

    CHECK(*type == holes_seen);
    for (int i = 0; i < *len; i++) {
        y[i].first += x[i].first;
        y[i].last += x[i].last;
    }
}

static inline MPI_Datatype holes_type(void)
{
    MPI_Datatype t;

    MPI_Type_vector(2, 1, 2, MPI_INT, &t);
    MPI_Type_commit(&t);
    return t;
}

static inline struct holes *holes_values(int rank, int n)
{
    struct holes *v = mpitest_memory((size_t) n * sizeof *v);

    for (int i = 0; i < n; i++)
        v[i] = (struct holes) { value(rank, i, 1), HOLE, value(rank, i, 2) };
    return v;
}

static inline void holes_check(const struct holes *v, int size, int n)
{
    for (int i = 0; i < n; i++) {
        int first = 0, last = 0;
        for (int rank = 0; rank < size; rank++) {
            first += value(rank, i, 1);
            last += value(rank, i, 2);
        }
        CHECK_INT(v[i].first, first);
        CHECK_INT(v[i].last, last);
        CHECK_INT(v[i].hole, HOLE);
    }
}

#endif /* HOLES_H */
