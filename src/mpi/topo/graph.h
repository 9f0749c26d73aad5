/* graph.h — the edges of a graph topology. */
#ifndef GRAPH_H
#define GRAPH_H

#include "mpi/topo/topo.h"

/* The index in edges of the first neighbor of a process; of rank nnodes the number of edges. */
static inline int mpir_graph_first(const struct mpir_topology *t, int rank)
{
    return rank ? t->graph.index[rank - 1] : 0;
}

/* Whether each pair of processes has as many edges in one direction as in the other. */
bool mpir_graph_symmetric(int nnodes, const int *index, const int *edges);
/* MPI_ERR_TOPOLOGY with a text that names the edges without a counterpart. */
int mpir_graph_lopsided(const struct mpir_topology *t) __attribute__((cold));

#endif /* GRAPH_H */
