#include <stdint.h>
#include "mpi/datatype/make.h"

static int rank_arg(int rank, int size)
{
    if (mpir_checking() && (unsigned) rank >= (unsigned) size)
        return mpir_error(MPI_ERR_RANK, "rank %d is outside 0..%d", rank, size - 1);
    return MPI_SUCCESS;
}

static int distribs_arg(const int distribs[], int n)
{
    int err = mpir_out_arg(distribs, "array_of_distribs");

    for (int i = 0; mpir_checking() && i < n && !err; i++)
        if (distribs[i] != MPI_DISTRIBUTE_BLOCK && distribs[i] != MPI_DISTRIBUTE_CYCLIC
            && distribs[i] != MPI_DISTRIBUTE_NONE)
            err = mpir_error(MPI_ERR_ARG, "array_of_distribs[%d] is %d, which is no distribution",
                             i, distribs[i]);
    return err;
}

static int dargs_arg(const int dargs[], const int distribs[], int n)
{
    int err = mpir_out_arg(dargs, "array_of_dargs");

    for (int i = 0; mpir_checking() && i < n && !err; i++)
        if (distribs[i] != MPI_DISTRIBUTE_NONE && dargs[i] < 1
            && dargs[i] != MPI_DISTRIBUTE_DFLT_DARG)
            err = mpir_error(MPI_ERR_ARG, "array_of_dargs[%d] is %d, not at least 1", i, dargs[i]);
    return err;
}

/* The product of psizes must be size. */
static int psizes_arg(const int psizes[], int n, int size)
{
    int err = type_sizes_arg(mpir_ints(psizes), n, 1, "array_of_psizes");
    int64_t processes = 1;

    for (int i = 0; mpir_checking() && i < n && !err; i++)
        if ((processes *= psizes[i]) > size)
            err = mpir_error(MPI_ERR_ARG, "array_of_psizes[0..%d] make %lld processes, size is %d",
                             i, (long long) processes, size);
    if (mpir_checking() && !err && processes != size)
        err = mpir_error(MPI_ERR_ARG, "array_of_psizes make %lld processes, size is %d",
                         (long long) processes, size);
    return err;
}

struct grid {
    struct mpir_counts gsizes;
    const int *distribs, *dargs, *psizes;
};

/* With MPI_DISTRIBUTE_BLOCK one block for each process must hold the whole dimension. */
static int blocks_arg(const struct grid *g, int n)
{
    int err = MPI_SUCCESS;

    for (int i = 0; mpir_checking() && i < n && !err; i++)
        if (g->distribs[i] == MPI_DISTRIBUTE_BLOCK && g->dargs[i] != MPI_DISTRIBUTE_DFLT_DARG
            && (int64_t) g->dargs[i] * g->psizes[i] < mpir_count(&g->gsizes, i))
            err = mpir_error(MPI_ERR_ARG,
                             "array_of_dargs[%d]: %d blocks of %d are less than %lld elements", i,
                             g->psizes[i], g->dargs[i], (long long) mpir_count(&g->gsizes, i));
    return err;
}

/* Creates a datatype for the part of a distributed array that one process of a grid has (§4.1.4).
 * Its bounds are those of the whole array. The grid is row-major for both orders.
 * Errors: MPI_ERR_ARG, MPI_ERR_RANK, MPI_ERR_TYPE, MPI_ERR_COUNT, MPI_ERR_NO_MEM. */
int PMPI_Type_create_darray(int size, int rank, int ndims, const int array_of_gsizes[],
                            const int array_of_distribs[], const int array_of_dargs[],
                            const int array_of_psizes[], int order, MPI_Datatype oldtype,
                            MPI_Datatype *newtype)
{
    ENTER("MPI_Type_create_darray", size, rank, ndims, array_of_gsizes, array_of_distribs,
          array_of_dargs, array_of_psizes, order, oldtype, newtype);
    const struct grid g = { mpir_ints(array_of_gsizes), array_of_distribs, array_of_dargs,
                            array_of_psizes };
    const struct type_list list[] = {
        { mpir_ints(&size), 1 },          { mpir_ints(&rank), 1 },
        { mpir_ints(&ndims), 1 },         { g.gsizes, ndims },
        { mpir_ints(g.distribs), ndims }, { mpir_ints(g.dargs), ndims },
        { mpir_ints(g.psizes), ndims },   { mpir_ints(&order), 1 }
    };
    struct adi3_type *old;

    TRY(type_sizes_arg(mpir_ints(&size), 1, 1, "size"));
    TRY(rank_arg(rank, size));
    TRY(type_dims_arg(ndims));
    TRY(type_sizes_arg(g.gsizes, ndims, 1, "array_of_gsizes"));
    TRY(distribs_arg(array_of_distribs, ndims));
    TRY(dargs_arg(array_of_dargs, array_of_distribs, ndims));
    TRY(psizes_arg(array_of_psizes, ndims, size));
    TRY(blocks_arg(&g, ndims));
    TRY(type_order_arg(order));
    TRY(mpir_type_arg(oldtype, &old));
    TRY(mpir_out_arg(newtype, "newtype"));
    TRY(type_make(
        (struct adi3_contents) { .combiner = MPI_COMBINER_DARRAY, .ntypes = 1, .types = &old },
        list, 8, false, newtype));
    return mpir_leave(&call);
}
MPIR_WEAK(Type_create_darray);
