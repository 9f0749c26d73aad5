/* make.c — checks the array arguments of the constructors, and makes their contents (§4.1.13). */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "mpi/datatype/make.h"

void type_return(struct adi3_type *made, MPI_Datatype *newtype)
{
    *newtype = adi3_type_user_acquire(made);
    adi3_type_release(made);
}

int type_make(struct adi3_contents r, const struct type_list list[], int n, bool large,
              MPI_Datatype *newtype)
{
    size_t ints = 0, counts = 0;
    struct adi3_type *made;

    for (int i = 0; i < n; i++)
        *(large && list[i].v.wide ? &counts : &ints) += (size_t) list[i].n;
    if (ints > INT_MAX)
        return mpir_error(MPI_ERR_COUNT, "a datatype cannot have %zu integers", ints);
    MPI_Count *all = malloc((counts + 1) * sizeof *all + ints * sizeof(int));
    if (!all)
        return adi3_no_memory("for a datatype");
    int *behind = (int *) (all + counts);
    for (int i = 0; i < n; i++) {
        const struct type_list *l = &list[i];
        bool counted = large && l->v.wide;
        if (l->n > 0 && counted)
            memcpy(all + r.ncounts, l->v.wide, (size_t) l->n * sizeof *all);
        else if (l->n > 0 && l->v.ints)
            memcpy(behind + r.nints, l->v.ints, (size_t) l->n * sizeof *behind);
        else if (l->n > 0)
            behind[r.nints] = (int) *l->v.wide;
        *(counted ? &r.ncounts : &r.nints) += l->n;
    }
    r.counts = all;
    r.ints = behind;
    int err = adi3_type_make(&r, &made);
    free(all);
    if (!err)
        type_return(made, newtype);
    return err;
}

/* Makes a datatype of blocks at displacements in bytes, which are addresses among the contents when
 * lens are ints, and else counts. */
static int make_displaced(struct adi3_contents r, MPI_Count count, struct mpir_counts lens,
                          const MPI_Aint displacements[], MPI_Datatype *newtype)
{
    bool large = lens.wide;
    const struct type_list list[] = { { mpir_wide(&count), 1 },
                                      { lens, count },
                                      { mpir_wide(displacements), count } };

    r.naddrs = large ? 0 : count;
    r.addrs = displacements;
    return type_make(r, list, large ? 3 : 2, large, newtype);
}

int type_make_struct(MPI_Count count, struct mpir_counts lens, const MPI_Aint displacements[],
                     const MPI_Datatype types[], MPI_Datatype *newtype)
{
    struct adi3_type **resolved = calloc((size_t) count + 1, sizeof *resolved);

    if (!resolved)
        return adi3_no_memory("for a datatype");
    int err = MPI_SUCCESS;
    for (MPI_Count i = 0; i < count && !err; i++)
        err = mpir_type_arg(types[i], &resolved[i]);
    if (!err)
        err = make_displaced((struct adi3_contents) { .combiner = MPI_COMBINER_STRUCT,
                                                      .ntypes = count,
                                                      .types = resolved },
                             count, lens, displacements, newtype);
    free(resolved);
    return err;
}

int type_make_hindexed(MPI_Count count, struct mpir_counts lens, const MPI_Aint displacements[],
                       struct adi3_type *old, MPI_Datatype *newtype)
{
    return make_displaced(
        (struct adi3_contents) { .combiner = MPI_COMBINER_HINDEXED, .ntypes = 1, .types = &old },
        count, lens, displacements, newtype);
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

int type_lens_arg(struct mpir_counts lens, MPI_Count count)
{
    int err = mpir_counts_arg(&lens, count, "array_of_blocklengths");

    for (MPI_Count i = 0; mpir_checking() && i < count && !err; i++)
        if (mpir_count(&lens, i) < 0)
            err = mpir_error(MPI_ERR_COUNT, "array_of_blocklengths[%lld] is negative: %lld",
                             (long long) i, (long long) mpir_count(&lens, i));
    return err;
}

int type_types_arg(const MPI_Datatype types[], MPI_Count count, const char *what)
{
    struct adi3_type *t;
    int err = mpir_array_arg(types, count, what);

    for (MPI_Count i = 0; mpir_checking() && i < count && !err; i++)
        if (mpir_type_arg(types[i], &t))
            err = mpir_error(MPI_ERR_TYPE,
                             types[i] == MPI_DATATYPE_NULL
                                 ? "%s[%lld] is MPI_DATATYPE_NULL"
                                 : "%s[%lld] is not a datatype, or one that was freed: 0x%x",
                             what, (long long) i, (unsigned) types[i]);
    return err;
}

int type_dims_arg(int n)
{
    if (mpir_checking() && n < 1)
        return mpir_error(MPI_ERR_ARG, "ndims is %d, not at least 1", n);
    return MPI_SUCCESS;
}

int type_sizes_arg(struct mpir_counts v, int n, int least, const char *what)
{
    int err = mpir_counts_arg(&v, n, what);

    for (int i = 0; mpir_checking() && i < n && !err; i++)
        if (mpir_count(&v, i) < least)
            err = mpir_error(MPI_ERR_ARG, "%s[%d] is %lld, not at least %d", what, i,
                             (long long) mpir_count(&v, i), least);
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
