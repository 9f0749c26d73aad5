#include "mpi/topo_create/topo_create.h"

/* Returns the rank that MPI_Graph_create with reorder gives to the calling process (§7.5.8). It is
 * MPI_UNDEFINED for a process that is not in the graph. Local: processes need not call it together.
 * Errors: MPI_ERR_COMM, MPI_ERR_ARG, MPI_ERR_NO_MEM, MPI_ERR_OTHER. */
int PMPI_Graph_map(MPI_Comm comm, int nnodes, const int indx[], const int edges[], int *newrank)
{
    ENTER("MPI_Graph_map", comm, nnodes, indx, edges, newrank);
    const struct mpir_shape s = { .n = nnodes, .index = indx, .edges = edges };
    struct adi3_comm *c;

    TRY(mpir_local_comm_arg(&call, comm, &c));
    TRY(mpir_is_intra_arg(c));
    TRY(mpir_nnodes_arg(c, nnodes));
    TRY(mpir_index_arg(nnodes, indx));
    TRY(mpir_edges_arg(nnodes, indx, edges));
    TRY(mpir_out_arg(newrank, "newrank"));
    if (c->rank < nnodes)
        TRY(mpir_shape_rank(c, &s, newrank));
    else
        *newrank = MPI_UNDEFINED;
    return mpir_leave(&call);
}
MPIR_WEAK(Graph_map);
