/* neighbors.c — the neighbors of the calling process in a topology of any kind. */
#include "mpi/topo/cart.h"
#include "mpi/topo/graph.h"

void mpir_degrees(const struct adi3_comm *c, int *sources, int *destinations)
{
    const struct mpir_topology *t = c->topology;

    if (t->kind == MPI_DIST_GRAPH) {
        *sources = t->dist.indegree;
        *destinations = t->dist.outdegree;
    } else if (t->kind == MPI_CART) {
        *sources = *destinations = 2 * t->cart.ndims;
    } else {
        *sources = mpir_graph_first(t, c->rank + 1) - mpir_graph_first(t, c->rank);
        *destinations = *sources;
    }
}

/* In a grid or a graph, where the i-th source is the i-th destination. */
static const int *symmetric_neighbors(const struct adi3_comm *c)
{
    const struct mpir_topology *t = c->topology;

    return t->kind == MPI_CART ? t->cart.neighbors : t->graph.edges + mpir_graph_first(t, c->rank);
}

const int *mpir_sources(const struct adi3_comm *c)
{
    return c->topology->kind == MPI_DIST_GRAPH ? c->topology->dist.sources : symmetric_neighbors(c);
}

const int *mpir_destinations(const struct adi3_comm *c)
{
    return c->topology->kind == MPI_DIST_GRAPH ? c->topology->dist.destinations
                                               : symmetric_neighbors(c);
}
