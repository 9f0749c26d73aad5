#include "mpi/topo/cart.h"

/* Returns the Cartesian coordinates of a process, given its rank (§7.5.5). maxdims is the length of
 * coords, at least the number of dimensions.
 * Errors: MPI_ERR_COMM, MPI_ERR_TOPOLOGY, MPI_ERR_RANK, MPI_ERR_ARG. */
int PMPI_Cart_coords(MPI_Comm comm, int rank, int maxdims, int coords[])
{
    ENTER("MPI_Cart_coords", comm, rank, maxdims, coords);
    struct adi3_comm *c;

    TRY(mpir_topology_arg(&call, comm, MPI_CART, &c));
    TRY(mpir_member_arg(c, rank));
    TRY(mpir_maxdims_arg(c, maxdims));
    TRY(mpir_array_arg(coords, c->topology->cart.ndims, "coords"));
    mpir_cart_coords(c->topology, rank, coords);
    return mpir_leave(&call);
}
MPIR_WEAK(Cart_coords);
