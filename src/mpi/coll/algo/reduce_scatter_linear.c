/* reduce_scatter_linear.c — rank 0 receives all operands, combines them in rank order, and scatters
 * the blocks of the result.
 *
 * Cost: 2 a + (p - 1) n (b + g) + n b, and 2 (p - 1) messages at rank 0. For small data where
 * processes share cores: see barrier_linear.c. */
#include "mpi/coll/algo/algo.h"
#include "mpi/coll/algo/result_blocks.h"

void reduce_scatter_linear(struct coll *x)
{
    struct adi3_data ours = x->recv, all = x->send;

    if (x->rank == 0)
        all.buf = coll_elements(x, all.count, all.type);
    x->recv = all;
    x->root = 0;
    reduce_linear(x);
    x->recv = ours;
    if (x->rank > 0) {
        coll_recv(x, ours, 0);
        return;
    }
    for (int i = 1; i < x->size; i++)
        coll_start_send(x, result_block_of(x, all.buf, i), i);
    coll_copy(x, result_block_of(x, all.buf, 0), ours);
}
