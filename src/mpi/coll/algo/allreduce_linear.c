/* allreduce_linear.c — rank 0 receives all operands, combines them in rank order, and sends the
 * result to all.
 *
 * Cost: 2 a + (p - 1) n (2 b + g), and 2 (p - 1) messages at rank 0. For small data where
 * processes share cores: see barrier_linear.c. */
#include "mpi/coll/algo/algo.h"

void allreduce_linear(struct coll *x)
{
    reduce_linear(x);
    bcast_linear(x);
}
