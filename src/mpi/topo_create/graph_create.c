#include "mpi/topo_create/topo_create.h"

/* Creates a communicator with a graph topology of nnodes processes (§7.5.3). edges lists the
 * neighbors of process 0, then those of process 1, and so on; indx[i] is the total number of
 * neighbors of the processes 0 to i. A process that is not in the graph gets MPI_COMM_NULL and
 * sends nothing. With reorder ranks may change so that neighbors are near each other. Collective.
 * Errors: MPI_ERR_COMM, MPI_ERR_ARG, MPI_ERR_TOPOLOGY, MPI_ERR_NO_MEM. */
int PMPI_Graph_create(MPI_Comm comm_old, int nnodes, const int indx[], const int edges[],
                      int reorder, MPI_Comm *comm_graph)
{
    ENTER("MPI_Graph_create", comm_old, nnodes, indx, edges, reorder, comm_graph);
    const struct mpir_shape s = { .n = nnodes, .index = indx, .edges = edges, .reorder = reorder };
    struct adi3_comm *c;

    TRY(mpir_intra_arg(&call, comm_old, &c));
    TRY(mpir_nnodes_arg(c, nnodes));
    TRY(mpir_index_arg(nnodes, indx));
    TRY(mpir_edges_arg(nnodes, indx, edges));
    TRY(mpir_out_arg(comm_graph, "comm_graph"));
    if (c->rank < nnodes)
        TRY(mpir_shape_make(c, &s, comm_graph));
    else
        *comm_graph = MPI_COMM_NULL;
    return mpir_leave(&call);
}
MPIR_WEAK(Graph_create);
