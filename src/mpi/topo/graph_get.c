#include <string.h>
#include "mpi/topo/graph.h"

static int room_arg(int room, int needed, const char *what)
{
    if (mpir_checking() && room < needed)
        return mpir_error(MPI_ERR_ARG, "%s %d is less than the %d there are", what, room, needed);
    return MPI_SUCCESS;
}

/* Returns the graph topology of a communicator, as MPI_Graph_create got it (§7.5.5). maxindex and
 * maxedges are the lengths of the arrays, at least the numbers of MPI_Graphdims_get.
 * Errors: MPI_ERR_COMM, MPI_ERR_TOPOLOGY, MPI_ERR_ARG. */
int PMPI_Graph_get(MPI_Comm comm, int maxindex, int maxedges, int indx[], int edges[])
{
    ENTER("MPI_Graph_get", comm, maxindex, maxedges, indx, edges);
    struct adi3_comm *c;

    TRY(mpir_topology_arg(&call, comm, MPI_GRAPH, &c));
    const struct mpir_topology *t = c->topology;
    int nnodes = t->graph.nnodes, nedges = mpir_graph_first(t, nnodes);
    TRY(room_arg(maxindex, nnodes, "maxindex"));
    TRY(room_arg(maxedges, nedges, "maxedges"));
    TRY(mpir_array_arg(indx, nnodes, "indx"));
    TRY(mpir_array_arg(edges, nedges, "edges"));
    memcpy(indx, t->graph.index, (size_t) nnodes * sizeof *indx);
    if (nedges > 0)
        memcpy(edges, t->graph.edges, (size_t) nedges * sizeof *edges);
    return mpir_leave(&call);
}
MPIR_WEAK(Graph_get);
