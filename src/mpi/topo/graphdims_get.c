#include "mpi/topo/graph.h"

/* Returns the numbers of processes and of edges in a graph topology (§7.5.5).
 * Errors: MPI_ERR_COMM, MPI_ERR_TOPOLOGY, MPI_ERR_ARG. */
int PMPI_Graphdims_get(MPI_Comm comm, int *nnodes, int *nedges)
{
    ENTER("MPI_Graphdims_get", comm, nnodes, nedges);
    struct adi3_comm *c;

    TRY(mpir_topology_arg(&call, comm, MPI_GRAPH, &c));
    TRY(mpir_out_arg(nnodes, "nnodes"));
    TRY(mpir_out_arg(nedges, "nedges"));
    *nnodes = c->topology->graph.nnodes;
    *nedges = mpir_graph_first(c->topology, c->topology->graph.nnodes);
    return mpir_leave(&call);
}
MPIR_WEAK(Graphdims_get);
