#include "mpi/topo/cart.h"

static int direction_arg(const struct mpir_topology *t, int direction)
{
    if (direction >= 0 && direction < t->cart.ndims)
        return MPI_SUCCESS;
    return mpir_error(MPI_ERR_ARG, "direction %d is none of the %d dimensions of the grid",
                      direction, t->cart.ndims);
}

/* Returns the ranks of the source and the destination of a shift in one dimension of a Cartesian
 * topology (§7.5.6). They are disp steps before and behind the calling process, and MPI_PROC_NULL
 * beyond an edge.
 * Errors: MPI_ERR_COMM, MPI_ERR_TOPOLOGY, MPI_ERR_ARG. */
int PMPI_Cart_shift(MPI_Comm comm, int direction, int disp, int *rank_source, int *rank_dest)
{
    ENTER("MPI_Cart_shift", comm, direction, disp, rank_source, rank_dest);
    struct adi3_comm *c;

    TRY(mpir_topology_arg(&call, comm, MPI_CART, &c));
    TRY(direction_arg(c->topology, direction));
    TRY(mpir_out_arg(rank_source, "rank_source"));
    TRY(mpir_out_arg(rank_dest, "rank_dest"));
    *rank_source = mpir_cart_shifted(c->topology, c->rank, direction, -(long long) disp);
    *rank_dest = mpir_cart_shifted(c->topology, c->rank, direction, disp);
    return mpir_leave(&call);
}
MPIR_WEAK(Cart_shift);
