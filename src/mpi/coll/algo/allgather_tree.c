/* allgather_tree.c — a gather to rank 0, then a broadcast of the result.
 *
 * Cost: 2 log2 p a + (p - 1 + p log2 p) n b, with only 2 (p - 1) messages: see barrier_tree.c. */
#include "mpi/coll/algo/algo.h"

void allgather_tree(struct coll *x)
{
    size_t block = x->recv.count;

    gather_binomial(x);
    x->recv.count *= (size_t) x->size;
    bcast_binomial(x);
    x->recv.count = block;
}
