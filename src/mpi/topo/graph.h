/* graph.h — the edges of a graph topology. */
#ifndef GRAPH_H
#define GRAPH_H

#include "topo/topo.h"

/* Where the neighbors of a process begin; of the number of processes: behind all. */
static inline int mpir_graph_first(const struct mpir_topology *t, int rank)
{
    return rank ? t->graph.index[rank - 1] : 0;
}

/* Whether there are as many edges from each process to each other as back. */
bool mpir_graph_symmetric(int nnodes, const int *index, const int *edges);
/* What is wrong with one that is not, as MPI_ERR_TOPOLOGY. */
int mpir_graph_lopsided(const struct mpir_topology *t) __attribute__((cold));

#endif /* GRAPH_H */
