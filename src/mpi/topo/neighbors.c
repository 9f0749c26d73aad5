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

/* In a grid or a graph, where the i-th source is the i-th destination. In each dimension of a grid
 * the negative direction comes first. */
static int symmetric_neighbor(const struct adi3_comm *c, int i)
{
    const struct mpir_topology *t = c->topology;

    if (t->kind == MPI_CART)
        return mpir_cart_shifted(t, c->rank, i / 2, i % 2 ? 1 : -1);
    return t->graph.edges[mpir_graph_first(t, c->rank) + i];
}

int mpir_source(const struct adi3_comm *c, int i)
{
    return c->topology->kind == MPI_DIST_GRAPH ? c->topology->dist.sources[i]
                                               : symmetric_neighbor(c, i);
}

int mpir_destination(const struct adi3_comm *c, int i)
{
    return c->topology->kind == MPI_DIST_GRAPH ? c->topology->dist.destinations[i]
                                               : symmetric_neighbor(c, i);
}
