#include "mpi/topo_create/topo_create.h"

/* Creates a communicator with a Cartesian topology (§7.5.1). The grid has ndims dimensions, with
 * dims[i] processes in dimension i, which is periodic where periods[i] is true. A process that is
 * not in the grid gets MPI_COMM_NULL and sends nothing. With reorder ranks may change so that
 * neighbors are near each other. Collective.
 * Errors: MPI_ERR_COMM, MPI_ERR_DIMS, MPI_ERR_ARG, MPI_ERR_TOPOLOGY, MPI_ERR_NO_MEM. */
int PMPI_Cart_create(MPI_Comm comm_old, int ndims, const int dims[], const int periods[],
                     int reorder, MPI_Comm *comm_cart)
{
    ENTER("MPI_Cart_create", comm_old, ndims, dims, periods, reorder, comm_cart);
    struct mpir_shape s = { .grid = { ndims, dims, periods }, .reorder = reorder };
    struct adi3_comm *c;

    TRY(mpir_intra_arg(&call, comm_old, &c));
    TRY(mpir_ndims_arg(ndims));
    TRY(mpir_dims_arg(c, ndims, dims, &s.n));
    TRY(mpir_array_arg(periods, ndims, "periods"));
    TRY(mpir_out_arg(comm_cart, "comm_cart"));
    if (c->rank < s.n)
        TRY(mpir_shape_make(c, &s, comm_cart));
    else
        *comm_cart = MPI_COMM_NULL;
    return mpir_leave(&call);
}
MPIR_WEAK(Cart_create);
