/* reduce_scatter_ring.c — the blocks travel round a ring, and each process combines them with its
 * operand.
 *
 * Block i begins at the process behind rank i and ends at rank i: its operands are combined in the
 * order of the ring, so the operation must commute. Each process talks to its neighbors only. Cost:
 * (p - 1) a + n (b + g) (p - 1) / p. */
#include "mpi/coll/algo/algo.h"
#include "mpi/coll/algo/result_blocks.h"

void reduce_scatter_ring(struct coll *x)
{
    int next = (x->rank + 1) % x->size, previous = (x->rank - 1 + x->size) % x->size;
    struct adi3_data from = result_block_of(x, x->send.buf, previous);
    size_t largest = 0;
    void *turn[2];

    for (int i = 0; i < x->size; i++)
        if (result_block_count(x, i) > largest)
            largest = result_block_count(x, i);
    for (int i = 0; i < 2; i++)
        turn[i] = coll_elements(x, largest, x->recv.type);
    for (int step = 2; step <= x->size; step++) {
        struct adi3_data ours =
            result_block_of(x, x->send.buf, (x->rank - step + x->size) % x->size);
        struct adi3_data to = coll_range(turn[step % 2], 0, ours.count, ours.type);

        coll_exchange(x, from, next, to, previous);
        coll_apply(x, ours.buf, to.buf, to.count);
        from = to;
    }
    coll_copy(x, from, x->recv);
}
