/* affine.h — an operation that is associative and does not commute: composing x -> a x + b. */
#ifndef AFFINE_H
#define AFFINE_H

#include "coll_test.h"

struct affine {
    unsigned a, b;
};

/* First in, then inout: the map of the lower rank is applied first. */
static inline struct affine affine_then(struct affine in, struct affine inout)
{
    return (struct affine) { inout.a * in.a, inout.a * in.b + inout.b };
}

static inline void affine_function(void *in, void *inout, int *len, MPI_Datatype *type)
{
    const struct affine *x = in;
    struct affine *y = inout;
    int size;

    MPI_Type_size(*type, &size); /* also tests a call of MPI within the function */
    CHECK_INT(size, sizeof(struct affine));
    for (int i = 0; i < *len; i++)
        y[i] = affine_then(x[i], y[i]);
}

static inline struct affine affine_value(int rank, int i)
{
    return (struct affine) { 2 * (unsigned) value(rank, i, 3) + 1, (unsigned) value(rank, i, 5) };
}

static inline struct affine affine_result(int size, int i)
{
    struct affine r = affine_value(0, i);

    for (int rank = 1; rank < size; rank++)
        r = affine_then(r, affine_value(rank, i));
    return r;
}

static inline struct affine *affine_values(int rank, int n)
{
    struct affine *v = mpitest_memory((size_t) n * sizeof *v);

    for (int i = 0; i < n; i++)
        v[i] = affine_value(rank, i);
    return v;
}

static inline void affine_check(const struct affine *v, int size, int n)
{
    for (int i = 0; i < n; i++) {
        struct affine want = affine_result(size, i);
        CHECK_INT(v[i].a, want.a);
        CHECK_INT(v[i].b, want.b);
    }
}

static inline MPI_Datatype affine_type(void)
{
    MPI_Datatype t;

    MPI_Type_contiguous(2, MPI_UNSIGNED, &t);
    MPI_Type_commit(&t);
    return t;
}

#endif /* AFFINE_H */
