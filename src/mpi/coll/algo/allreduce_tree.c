/* allreduce_tree.c — a reduction to rank 0, then a broadcast.
 *
 * Cost: 2 log2 p a and more, with only 2 (p - 1) messages: see barrier_tree.c. */
#include "mpi/coll/algo/algo.h"

void allreduce_tree(struct coll *x)
{
    reduce_binomial(x);
    bcast_binomial(x);
}
