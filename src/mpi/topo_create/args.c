/* args.c — the arguments of functions that make topologies. */
#include <limits.h>
#include "mpi/topo_create/topo_create.h"

int mpir_ndims_arg(int ndims)
{
    if (mpir_checking() && ndims < 0)
        return mpir_error(MPI_ERR_DIMS, "ndims is negative: %d", ndims);
    return MPI_SUCCESS;
}

/* Checked in all builds: a process that is not in the grid must find that out. */
int mpir_dims_arg(const struct adi3_comm *c, int ndims, const int *dims, int *processes)
{
    int err = mpir_array_arg(dims, ndims, "dims");
    bool empty = false;
    long long product = 1;

    for (int i = 0; !err && i < ndims; i++) {
        if (dims[i] < 0)
            err = mpir_error(MPI_ERR_DIMS, "dims[%d] is negative: %d", i, dims[i]);
        empty = empty || dims[i] == 0;
        product *= product <= INT_MAX ? dims[i] : 1;
    }
    if (!err && !empty && product > c->size)
        err = mpir_error(MPI_ERR_DIMS, "the grid has %s%lld processes and the communicator %d",
                         product > INT_MAX ? "at least " : "", product, c->size);
    *processes = empty ? 0 : (int) product;
    return err;
}

int mpir_nnodes_arg(const struct adi3_comm *c, int nnodes)
{
    if (nnodes >= 0 && nnodes <= c->size)
        return MPI_SUCCESS;
    return mpir_error(MPI_ERR_ARG, "nnodes %d is outside 0..%d", nnodes, c->size);
}

int mpir_index_arg(int nnodes, const int *index)
{
    int err = mpir_array_arg(index, nnodes, "indx");

    for (int i = 0; mpir_checking() && !err && i < nnodes; i++)
        if (index[i] < (i ? index[i - 1] : 0))
            err = mpir_error(MPI_ERR_ARG, "indx[%d] is less than the one before: %d", i, index[i]);
    return err;
}

int mpir_edges_arg(int nnodes, const int *index, const int *edges)
{
    int count = nnodes ? index[nnodes - 1] : 0, err = mpir_array_arg(edges, count, "edges");

    for (int i = 0; mpir_checking() && !err && i < count; i++)
        if (edges[i] < 0 || edges[i] >= nnodes)
            err =
                mpir_error(MPI_ERR_ARG, "edges[%d] is %d, outside 0..%d", i, edges[i], nnodes - 1);
    return err;
}

int mpir_vertices_arg(const struct adi3_comm *c, int n, const int *ranks, const char *what)
{
    int err = mpir_array_arg(ranks, n, what);

    for (int i = 0; mpir_checking() && !err && i < n; i++)
        if (ranks[i] < 0 || ranks[i] >= c->size)
            err = mpir_error(MPI_ERR_RANK, "%s[%d] is %d, outside 0..%d", what, i, ranks[i],
                             c->size - 1);
    return err;
}

int mpir_weights_arg(int n, const int *weights, const char *what)
{
    int err = mpir_array_arg(weights, n, what);

    if (err || n == 0 || weights == MPI_UNWEIGHTED || !mpir_checking())
        return err;
    if (weights == MPI_WEIGHTS_EMPTY)
        return mpir_error(MPI_ERR_ARG, "%s is MPI_WEIGHTS_EMPTY for %d edges", what, n);
    for (int i = 0; !err && i < n; i++)
        if (weights[i] < 0)
            err = mpir_error(MPI_ERR_ARG, "%s[%d] is negative: %d", what, i, weights[i]);
    return err;
}
