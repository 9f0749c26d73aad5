#include <string.h>
#include "topo/cart.h"

/* Gives the processes of each dimension of comm's grid, which are periodic, and the coordinates of
 * this process (§7.5.5). maxdims: the length of the arrays, at least the number of dimensions.
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
