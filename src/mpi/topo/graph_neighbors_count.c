#include "mpi/topo/graph.h"

/* Returns the number of neighbors of a process in a graph topology, repeated ones included
 * (§7.5.5).
 * Errors: MPI_ERR_COMM, MPI_ERR_TOPOLOGY, MPI_ERR_RANK, MPI_ERR_ARG. */
int PMPI_Graph_neighbors_count(MPI_Comm comm, int rank, int *nneighbors)
{
    ENTER("MPI_Graph_neighbors_count", comm, rank, nneighbors);
    struct adi3_comm *c;

    TRY(mpir_topology_arg(&call, comm, MPI_GRAPH, &c));
    TRY(mpir_member_arg(c, rank));
    TRY(mpir_out_arg(nneighbors, "nneighbors"));
    *nneighbors = mpir_graph_first(c->topology, rank + 1) - mpir_graph_first(c->topology, rank);
    return mpir_leave(&call);
}
MPIR_WEAK(Graph_neighbors_count);
