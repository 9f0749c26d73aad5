#include <string.h>
#include "mpi/topo/topo.h"

/* Copies the first of n entries, at most room. Copies nothing when the caller has no array for
 * weights or the graph has none. */
static void copy_first(int *to, const int *from, int n, int room)
{
    n = n < room ? n : room;
    if (n > 0 && from && to && to != MPI_UNWEIGHTED && to != MPI_WEIGHTS_EMPTY)
        memcpy(to, from, (size_t) n * sizeof *to);
}

/* Returns the neighbors of the calling process in a distributed graph topology (§7.5.5). Those are
 * the first maxindegree edges into and the first maxoutdegree edges out of it. Their weights are
 * returned where they have any and the array is not MPI_UNWEIGHTED. The order is that of
 * MPI_Dist_graph_create_adjacent; after MPI_Dist_graph_create it is always the same.
 * Errors: MPI_ERR_COMM, MPI_ERR_TOPOLOGY, MPI_ERR_ARG. */
int PMPI_Dist_graph_neighbors(MPI_Comm comm, int maxindegree, int sources[], int sourceweights[],
                              int maxoutdegree, int destinations[], int destweights[])
{
    ENTER("MPI_Dist_graph_neighbors", comm, maxindegree, sources, sourceweights, maxoutdegree,
          destinations, destweights);
    struct adi3_comm *c;

    TRY(mpir_topology_arg(&call, comm, MPI_DIST_GRAPH, &c));
    TRY(mpir_not_negative_arg(maxindegree, "maxindegree"));
    TRY(mpir_array_arg(sources, maxindegree, "sources"));
    TRY(mpir_not_negative_arg(maxoutdegree, "maxoutdegree"));
    TRY(mpir_array_arg(destinations, maxoutdegree, "destinations"));
    const struct mpir_neighbors *d = &c->topology->dist;
    copy_first(sources, d->sources, d->indegree, maxindegree);
    copy_first(sourceweights, d->sourceweights, d->indegree, maxindegree);
    copy_first(destinations, d->destinations, d->outdegree, maxoutdegree);
    copy_first(destweights, d->destweights, d->outdegree, maxoutdegree);
    return mpir_leave(&call);
}
MPIR_WEAK(Dist_graph_neighbors);
