#include "mpi/topo/topo.h"

/* Returns the number of dimensions of a Cartesian topology (§7.5.5).
 * Errors: MPI_ERR_COMM, MPI_ERR_TOPOLOGY, MPI_ERR_ARG. */
int PMPI_Cartdim_get(MPI_Comm comm, int *ndims)
{
    ENTER("MPI_Cartdim_get", comm, ndims);
    struct adi3_comm *c;

    TRY(mpir_topology_arg(&call, comm, MPI_CART, &c));
    TRY(mpir_out_arg(ndims, "ndims"));
    *ndims = c->topology->cart.ndims;
    return mpir_leave(&call);
}
MPIR_WEAK(Cartdim_get);
