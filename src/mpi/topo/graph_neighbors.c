#include "mpi/topo/graph.h"

/* Returns the neighbors of a process in a graph topology (§7.5.5). Those are the first maxneighbors
 * of them, in the order of MPI_Graph_create.
 * Errors: MPI_ERR_COMM, MPI_ERR_TOPOLOGY, MPI_ERR_RANK, MPI_ERR_ARG. */
int PMPI_Graph_neighbors(MPI_Comm comm, int rank, int maxneighbors, int neighbors[])
{
    ENTER("MPI_Graph_neighbors", comm, rank, maxneighbors, neighbors);
    struct adi3_comm *c;

    TRY(mpir_topology_arg(&call, comm, MPI_GRAPH, &c));
    TRY(mpir_member_arg(c, rank));
    TRY(mpir_not_negative_arg(maxneighbors, "maxneighbors"));
    TRY(mpir_array_arg(neighbors, maxneighbors, "neighbors"));
    const int *edges = c->topology->graph.edges;
    int first = mpir_graph_first(c->topology, rank);
    int n = mpir_graph_first(c->topology, rank + 1) - first;
    for (int i = 0; i < n && i < maxneighbors; i++)
        neighbors[i] = edges[first + i];
    return mpir_leave(&call);
}
MPIR_WEAK(Graph_neighbors);
