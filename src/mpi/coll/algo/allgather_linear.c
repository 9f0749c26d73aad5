/* allgather_linear.c — rank 0 gathers all blocks and sends them to all.
 *
 * Cost: 2 a + (p + 1) (p - 1) n b, and 2 (p - 1) messages at rank 0. For small data where
 * processes share cores: see barrier_linear.c. */
#include "mpi/coll/algo/algo.h"

void allgather_linear(struct coll *x)
{
    size_t block = x->recv.count;

    gather_linear(x);
    coll_finish(x);
    x->recv.count *= (size_t) x->size;
    bcast_linear(x);
    x->recv.count = block;
}
