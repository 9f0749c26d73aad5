#include <stdlib.h>
#include "mpi/mpir.h"
#include "mpi/topo/dims.h"

static int nnodes_arg(int nnodes)
{
    if (nnodes > 0)
        return MPI_SUCCESS;
    return mpir_error(MPI_ERR_ARG, "nnodes is not positive: %d", nnodes);
}

static int ndims_arg(int ndims)
{
    if (mpir_checking() && ndims < 0)
        return mpir_error(MPI_ERR_DIMS, "ndims is negative: %d", ndims);
    return MPI_SUCCESS;
}

/* rest becomes the product of the dimensions that are 0, unset their number. */
static int dims_arg(int nnodes, int ndims, const int *dims, int *rest, int *unset)
{
    int err = mpir_array_arg(dims, ndims, "dims");

    *rest = nnodes;
    *unset = 0;
    for (int i = 0; !err && i < ndims; i++) {
        if (dims[i] < 0)
            return mpir_error(MPI_ERR_DIMS, "dims[%d] is negative: %d", i, dims[i]);
        if (dims[i] == 0)
            ++*unset;
        else if (*rest % dims[i] == 0)
            *rest /= dims[i];
        else
            return mpir_error(MPI_ERR_DIMS,
                              "dims[%d] is %d: nnodes %d is no multiple of it and those before", i,
                              dims[i], nnodes);
    }
    return err;
}

static int dims_fill_unset(int rest, int unset, int *dims)
{
    int *factor = malloc((size_t) unset * sizeof *factor);

    if (!factor)
        return adi3_no_memory("for %d dimensions", unset);
    mpir_dims_balance(rest, unset, factor);
    for (int i = 0; i < unset; dims++)
        if (*dims == 0)
            *dims = factor[i++];
    free(factor);
    return MPI_SUCCESS;
}

/* Finds a balanced grid of nnodes processes (§7.5.2). Sets the dimensions that are 0, in
 * non-increasing order, so that the largest and the smallest of them are as close as can be. Local.
 * Errors: MPI_ERR_ARG, MPI_ERR_DIMS, MPI_ERR_NO_MEM. */
int PMPI_Dims_create(int nnodes, int ndims, int dims[])
{
    ENTER("MPI_Dims_create", nnodes, ndims, dims);
    int rest, unset;

    TRY(nnodes_arg(nnodes));
    TRY(ndims_arg(ndims));
    TRY(dims_arg(nnodes, ndims, dims, &rest, &unset));
    if (unset)
        TRY(dims_fill_unset(rest, unset, dims));
    return mpir_leave(&call);
}
MPIR_WEAK(Dims_create);
