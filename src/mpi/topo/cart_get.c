#include <string.h>
#include "mpi/topo/cart.h"

/* Returns the Cartesian topology of a communicator (§7.5.5). That is the number of processes in
 * each dimension, which dimensions are periodic, and the coordinates of the calling process.
 * maxdims is the length of the arrays, at least the number of dimensions.
 * Errors: MPI_ERR_COMM, MPI_ERR_TOPOLOGY, MPI_ERR_ARG. */
int PMPI_Cart_get(MPI_Comm comm, int maxdims, int dims[], int periods[], int coords[])
{
    ENTER("MPI_Cart_get", comm, maxdims, dims, periods, coords);
    struct adi3_comm *c;

    TRY(mpir_topology_arg(&call, comm, MPI_CART, &c));
    TRY(mpir_maxdims_arg(c, maxdims));
    int ndims = c->topology->cart.ndims;
    size_t len = (size_t) ndims * sizeof *dims;
    TRY(mpir_array_arg(dims, ndims, "dims"));
    TRY(mpir_array_arg(periods, ndims, "periods"));
    TRY(mpir_array_arg(coords, ndims, "coords"));
    if (ndims > 0) {
        memcpy(dims, c->topology->cart.dims, len);
        memcpy(periods, c->topology->cart.periods, len);
        mpir_cart_coords(c->topology, c->rank, coords);
    }
    return mpir_leave(&call);
}
MPIR_WEAK(Cart_get);
