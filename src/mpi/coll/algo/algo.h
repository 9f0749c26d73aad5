/* algo.h — the algorithms, for the tables of the operations.
 *
 * Each file begins with the idea and the cost for p processes and n bytes. A message costs a + n
 * b, where a is the latency and b the time of a byte; to combine a byte takes g. */
#ifndef ALGO_H
#define ALGO_H

#include "mpi/coll/coll.h"

void barrier_dissemination(struct coll *x);
void barrier_doubling(struct coll *x);
void barrier_linear(struct coll *x);
void barrier_tree(struct coll *x);
void barrier_nodes(struct coll *x);
void barrier_shared(struct coll *x);

void bcast_binomial(struct coll *x);
void bcast_knomial(struct coll *x);
void bcast_scatter_doubling(struct coll *x);
void bcast_tree(struct coll *x);
void bcast_scatter_ring(struct coll *x);
void bcast_linear(struct coll *x);
void bcast_nodes(struct coll *x);
void bcast_shared(struct coll *x);
void bcast_direct(struct coll *x);
void bcast_chain(struct coll *x);
enum { BCAST_CHUNK = 128 << 10 }; /* bytes of a chunk in bcast_chain and bcast_tree */

void reduce_binomial(struct coll *x);
void reduce_knomial(struct coll *x);
void reduce_chain(struct coll *x);
enum { REDUCE_CHUNK = 64 << 10 }; /* bytes of a chunk in reduce_chain */
void reduce_linear(struct coll *x);
void reduce_halving(struct coll *x);
void reduce_nodes(struct coll *x);
void reduce_shared(struct coll *x);
void reduce_direct(struct coll *x);

void allreduce_doubling(struct coll *x);
void allreduce_multiplying(struct coll *x);
void allreduce_halving(struct coll *x);
void allreduce_circulant(struct coll *x);
void allreduce_ring(struct coll *x);
void allreduce_linear(struct coll *x);
void allreduce_tree(struct coll *x);
void allreduce_nodes(struct coll *x);
void allreduce_shared(struct coll *x);
void allreduce_direct(struct coll *x);

void reduce_scatter_linear(struct coll *x);
void reduce_scatter_halving(struct coll *x);
void reduce_scatter_circulant(struct coll *x);
void reduce_scatter_pairwise(struct coll *x);
void reduce_scatter_ring(struct coll *x);
void reduce_scatter_shared(struct coll *x);
void reduce_scatter_direct(struct coll *x);
void scan_linear(struct coll *x);
void scan_doubling(struct coll *x);
void exscan_linear(struct coll *x);
void exscan_doubling(struct coll *x);

void gather_binomial(struct coll *x);
void gather_linear(struct coll *x);
void gather_nodes(struct coll *x);
void gather_shared(struct coll *x);
void gather_direct(struct coll *x);
void gatherv_linear(struct coll *x);
void scatter_binomial(struct coll *x);
void scatter_linear(struct coll *x);
void scatter_nodes(struct coll *x);
void scatter_shared(struct coll *x);
void scatter_direct(struct coll *x);
void scatterv_linear(struct coll *x);

void allgather_bruck(struct coll *x);
void allgather_doubling(struct coll *x);
void allgather_neighbor(struct coll *x);
void allgather_ring(struct coll *x);
void allgather_linear(struct coll *x);
void allgather_tree(struct coll *x);
void allgather_nodes(struct coll *x);
void allgather_shared(struct coll *x);
void allgather_direct(struct coll *x);
void allgatherv_bruck(struct coll *x);
void allgatherv_doubling(struct coll *x);
void allgatherv_neighbor(struct coll *x);
void allgatherv_ring(struct coll *x);

void alltoall_bruck(struct coll *x);
void alltoall_pairwise(struct coll *x);
void alltoall_spread(struct coll *x);
void alltoall_scattered(struct coll *x);
void alltoall_swap(struct coll *x);
void alltoall_nodes(struct coll *x);
void alltoall_shared(struct coll *x);
void alltoall_direct(struct coll *x);
void alltoallv_shared(struct coll *x);
bool alltoallv_shared_fits(const struct coll *x);

void neighbor_allgather(struct coll *x);
void neighbor_alltoall(struct coll *x);

/* Between two groups. Each serves blocks of one size and of any, but where there are two
 * functions. */
void barrier_inter(struct coll *x);
void bcast_inter(struct coll *x);
void gather_inter(struct coll *x);
void scatter_inter(struct coll *x);
void allgather_inter(struct coll *x);
void allgatherv_inter(struct coll *x);
void alltoall_inter(struct coll *x);
void reduce_inter(struct coll *x);
void allreduce_inter(struct coll *x);
void reduce_scatter_inter(struct coll *x);

#endif /* ALGO_H */
