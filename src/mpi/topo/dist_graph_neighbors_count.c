#include "mpi/topo/topo.h"

/* Returns the numbers of edges into and out of the calling process in a distributed graph topology,
 * and whether they have weights (§7.5.5).
 * Errors: MPI_ERR_COMM, MPI_ERR_TOPOLOGY, MPI_ERR_ARG. */
int PMPI_Dist_graph_neighbors_count(MPI_Comm comm, int *indegree, int *outdegree, int *weighted)
{
    ENTER("MPI_Dist_graph_neighbors_count", comm, indegree, outdegree, weighted);
    struct adi3_comm *c;

    TRY(mpir_topology_arg(&call, comm, MPI_DIST_GRAPH, &c));
    TRY(mpir_out_arg(indegree, "indegree"));
    TRY(mpir_out_arg(outdegree, "outdegree"));
    TRY(mpir_out_arg(weighted, "weighted"));
    *indegree = c->topology->dist.indegree;
    *outdegree = c->topology->dist.outdegree;
    *weighted = c->topology->dist.weighted;
    return mpir_leave(&call);
}
MPIR_WEAK(Dist_graph_neighbors_count);
