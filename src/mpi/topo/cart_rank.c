#include "mpi/topo/cart.h"

static int coords_arg(const struct mpir_topology *t, const int *coords)
{
    int err = mpir_array_arg(coords, t->cart.ndims, "coords");

    for (int d = 0; mpir_checking() && !err && d < t->cart.ndims; d++)
        if (!t->cart.periods[d] && (coords[d] < 0 || coords[d] >= t->cart.dims[d]))
            err = mpir_error(MPI_ERR_ARG, "coords[%d] is %d, outside 0..%d and not periodic", d,
                             coords[d], t->cart.dims[d] - 1);
    return err;
}

/* Coordinates may be out of range in periodic dimensions. */
static int rank_of(const struct mpir_topology *t, const int *coords)
{
    int rank = 0;

    for (int d = 0; d < t->cart.ndims; d++)
        rank = rank * t->cart.dims[d] + mpir_cart_wrap(coords[d], t->cart.dims[d]);
    return rank;
}

/* Returns the rank of a process, given its Cartesian coordinates (§7.5.5). Coordinates may be out
 * of range in dimensions that are periodic.
 * Errors: MPI_ERR_COMM, MPI_ERR_TOPOLOGY, MPI_ERR_ARG. */
int PMPI_Cart_rank(MPI_Comm comm, const int coords[], int *rank)
{
    ENTER("MPI_Cart_rank", comm, coords, rank);
    struct adi3_comm *c;

    TRY(mpir_topology_arg(&call, comm, MPI_CART, &c));
    TRY(coords_arg(c->topology, coords));
    TRY(mpir_out_arg(rank, "rank"));
    *rank = rank_of(c->topology, coords);
    return mpir_leave(&call);
}
MPIR_WEAK(Cart_rank);
