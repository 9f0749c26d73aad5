#include "mpi/topo/topo.h"

/* Returns the kind of the topology of a communicator (§7.5.5). It is MPI_CART, MPI_GRAPH,
 * MPI_DIST_GRAPH, or MPI_UNDEFINED when there is none.
 * Errors: MPI_ERR_COMM, MPI_ERR_ARG. */
int PMPI_Topo_test(MPI_Comm comm, int *status)
{
    ENTER("MPI_Topo_test", comm, status);
    struct adi3_comm *c;

    TRY(mpir_local_comm_arg(&call, comm, &c));
    TRY(mpir_out_arg(status, "status"));
    *status = c->topology ? c->topology->kind : MPI_UNDEFINED;
    return mpir_leave(&call);
}
MPIR_WEAK(Topo_test);
