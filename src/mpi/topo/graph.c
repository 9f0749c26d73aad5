/* graph.c — tests whether a graph is symmetric, as neighborhood collectives need (§7.6). */
#include "mpi/topo/graph.h"

/* A hash of an edge. */
static uint64_t edge_hash(int from, int to)
{
    uint64_t x = ((uint64_t) (uint32_t) from << 32 | (uint32_t) to) + 1;

    for (int i = 0; i < 3; i++) {
        x *= 0xd1342543de82ef95u;
        x ^= x >> 29;
    }
    return x;
}

/* The sum is 0 when each edge has one back. For another graph it is 0 with a probability of 2^-64.
 * So edges need not be sorted. */
bool mpir_graph_symmetric(int nnodes, const int *index, const int *edges)
{
    uint64_t sum = 0;

    for (int i = 0, k = 0; i < nnodes; i++)
        for (; k < index[i]; k++)
            sum += edge_hash(i, edges[k]) - edge_hash(edges[k], i);
    return sum == 0;
}

static int graph_edge_count(const struct mpir_topology *t, int from, int to)
{
    int n = 0;

    for (int k = mpir_graph_first(t, from); k < mpir_graph_first(t, from + 1); k++)
        n += t->graph.edges[k] == to;
    return n;
}

int mpir_graph_lopsided(const struct mpir_topology *t)
{
    for (int i = 0, k = 0; i < t->graph.nnodes; i++)
        for (; k < t->graph.index[i]; k++) {
            int to = t->graph.edges[k], out = graph_edge_count(t, i, to),
                back = graph_edge_count(t, to, i);
            if (out != back)
                return mpir_error(
                    MPI_ERR_TOPOLOGY,
                    "neighborhood collectives need a symmetric graph: this one has %d "
                    "edges from %d to %d and %d from %d to %d",
                    out, i, to, back, to, i);
        }
    return MPI_SUCCESS;
}
