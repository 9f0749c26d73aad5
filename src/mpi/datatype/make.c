/* make.c — checks the array arguments of the constructors, and makes their contents (§4.1.13). */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "make.h"

static int no_memory(void) { return mpir_error(MPI_ERR_NO_MEM, "no memory for a datatype"); }

void type_return(struct adi3_type *made, MPI_Datatype *newtype)
{
    *newtype = adi3_type_user_acquire(made);
    adi3_type_release(made);
}

int type_make(struct adi3_contents r, const struct type_ints list[], int n, MPI_Datatype *newtype)
{
    struct adi3_type *made;
    size_t nints = 0;

    for (int i = 0; i < n; i++)
        nints += (size_t) list[i].n;
    if (nints > INT_MAX)
        return mpir_error(MPI_ERR_COUNT, "a datatype cannot have %zu integers", nints);
    int *ints = malloc((nints ? nints : 1) * sizeof *ints), *to = ints;
    if (!ints)
        return no_memory();
    for (int i = 0; i < n; i++) {
        if (list[i].n > 0)
            memcpy(to, list[i].v, (size_t) list[i].n * sizeof *to);
        to += list[i].n;
    }
    r.ints = ints;
    r.nints = (MPI_Count) nints;
    int err = adi3_type_make(&r, &made);
    free(ints);
    if (!err)
        type_return(made, newtype);
    return err;
}

int type_make_wide(struct adi3_contents r, const struct type_counts list[], int n,
                   MPI_Datatype *newtype)
{
    struct adi3_type *made;
    size_t all = 0;

    for (int i = 0; i < n; i++)
        all += (size_t) list[i].n;
    MPI_Count *counts = calloc(all ? all : 1, sizeof *counts), *to = counts;
    if (!counts)
        return no_memory();
    for (int i = 0; i < n; i++) {
        if (list[i].n > 0)
            memcpy(to, list[i].v, (size_t) list[i].n * sizeof *to);
        to += list[i].n;
    }
    r.counts = counts;
    r.ncounts = (MPI_Count) all;
    int err = adi3_type_make(&r, &made);
    free(counts);
    if (!err)
        type_return(made, newtype);
    return err;
}

int type_make_struct(int count, const int lens[], const MPI_Aint displacements[],
                     const MPI_Datatype types[], MPI_Datatype *newtype)
{
    struct adi3_type **resolved = malloc(((size_t) count + 1) * sizeof *resolved);
    const struct type_ints list[] = { { &count, 1 }, { lens, count } };

    if (!resolved)
        return no_memory();
    int err = MPI_SUCCESS;
    for (int i = 0; i < count && !err; i++)
        err = mpir_type_arg(types[i], &resolved[i]);
    if (!err)
        err = type_make((struct adi3_contents) { .combiner = MPI_COMBINER_STRUCT,
                                                 .naddrs = count,
                                                 .ntypes = count,
                                                 .addrs = displacements,
                                                 .types = resolved },
                        list, 2, newtype);
    free(resolved);
    return err;
}

int type_make_hindexed(int count, const int lens[], const MPI_Aint displacements[],
                       struct adi3_type *old, MPI_Datatype *newtype)
{
    const struct type_ints list[] = { { &count, 1 }, { lens, count } };

    return type_make((struct adi3_contents) { .combiner = MPI_COMBINER_HINDEXED,
                                              .naddrs = count,
                                              .ntypes = 1,
                                              .addrs = displacements,
                                              .types = &old },
                     list, 2, newtype);
}

int type_make_hvector(int count, int blocklength, MPI_Aint stride, struct adi3_type *old,
                      MPI_Datatype *newtype)
{
    struct adi3_type *made;
    int err = adi3_type_hvector(count, blocklength, stride, old, &made);

    if (!err)
        type_return(made, newtype);
    return err;
}

/* ---- arguments ------------------------------------------------------------------------------- */

int type_int_contents_arg(const struct adi3_contents *r)
{
    if (r->ncounts > 0)
        return mpir_error(MPI_ERR_TYPE, "the datatype was created with counts of type MPI_Count");
    return MPI_SUCCESS;
}

int type_lens_arg(const int lens[], int count)
{
    int err = mpir_array_arg(lens, count, "array_of_blocklengths");

    for (int i = 0; mpir_checking() && i < count && !err; i++)
        if (lens[i] < 0)
            err =
                mpir_error(MPI_ERR_COUNT, "array_of_blocklengths[%d] is negative: %d", i, lens[i]);
    return err;
}

int type_types_arg(const MPI_Datatype types[], int count, const char *what)
{
    struct adi3_type *t;
    int err = mpir_array_arg(types, count, what);

    for (int i = 0; mpir_checking() && i < count && !err; i++)
        if (mpir_type_arg(types[i], &t))
            err = mpir_error(MPI_ERR_TYPE,
                             types[i] == MPI_DATATYPE_NULL
                                 ? "%s[%d] is MPI_DATATYPE_NULL"
                                 : "%s[%d] is not a datatype, or one that was freed: 0x%x",
                             what, i, (unsigned) types[i]);
    return err;
}

int type_dims_arg(int n)
{
    if (mpir_checking() && n < 1)
        return mpir_error(MPI_ERR_ARG, "ndims is %d, not at least 1", n);
    return MPI_SUCCESS;
}

int type_sizes_arg(const int v[], int n, int least, const char *what)
{
    int err = mpir_out_arg(v, what);

    for (int i = 0; mpir_checking() && i < n && !err; i++)
        if (v[i] < least)
            err = mpir_error(MPI_ERR_ARG, "%s[%d] is %d, not at least %d", what, i, v[i], least);
    return err;
}

int type_order_arg(int order)
{
    if (mpir_checking() && order != MPI_ORDER_C && order != MPI_ORDER_FORTRAN)
        return mpir_error(MPI_ERR_ARG,
                          "order %d is neither MPI_ORDER_C (%d) nor MPI_ORDER_FORTRAN (%d)", order,
                          MPI_ORDER_C, MPI_ORDER_FORTRAN);
    return MPI_SUCCESS;
}
