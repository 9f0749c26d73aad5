/* graph.h — the edges of a graph topology. */
#ifndef GRAPH_H
#define GRAPH_H

#include "topo/topo.h"

/* Where the neighbors of a process begin; of the number of processes: behind all. */
static inline int mpir_graph_first(const struct mpir_topology *t, int rank)
{
    return rank ? t->graph.index[rank - 1] : 0;
}

#endif /* GRAPH_H */
