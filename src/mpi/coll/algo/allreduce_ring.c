/* allreduce_ring.c — p blocks travel round a ring twice: first they are combined (reduce-scatter),
 * then passed to all (allgather).
 *
 * The operands of block i are combined in the order of the ring, beginning with rank i, so the
 * operation must commute. Each block is computed by one process, so all processes get the same
 * bits. Cost: 2 (p - 1) a + n (2 b + g) (p - 1) / p, for any p. */
#include "mpi/coll/algo/algo.h"
#include "mpi/coll/algo/equal.h"

/* Block i in a buffer of all blocks; i is taken modulo p. */
static struct adi3_data ring_block(const struct coll *x, const void *buf, int i)
{
    return equal_block(x, buf, (i + x->size) % x->size);
}

/* Where the partial result of block i is received. It must not overwrite our operand, which with
 * MPI_IN_PLACE is in recvbuf: then partial results use two other buffers by turns. */
static struct adi3_data ring_recv_block(const struct coll *x, int i, void *turn)
{
    struct adi3_data d = ring_block(x, x->recv.buf, i);

    return turn ? coll_range(turn, 0, d.count, d.type) : d;
}

/* The first time round: at the end this process has the result of block rank + 1. */
static void ring_reduce_scatter(struct coll *x, int next, int previous)
{
    struct adi3_data from = ring_block(x, x->send.buf, x->rank);
    void *turn[2] = { NULL, NULL };

    for (int i = 0; i < 2 && x->send.buf == x->recv.buf; i++)
        turn[i] = coll_elements(x, ring_block(x, NULL, 0).count,
                                x->recv.type); /* block 0 is the largest */
    for (int step = 1; step < x->size; step++) {
        int i = x->rank - step;
        struct adi3_data to = ring_recv_block(x, i, turn[step % 2]);

        coll_exchange(x, from, next, to, previous);
        coll_apply(x, ring_block(x, x->send.buf, i).buf, to.buf, to.count);
        from = to;
    }
    coll_copy(x, from, ring_block(x, x->recv.buf, x->rank + 1));
}

void allreduce_ring(struct coll *x)
{
    int next = (x->rank + 1) % x->size, previous = (x->rank - 1 + x->size) % x->size;

    ring_reduce_scatter(x, next, previous);
    for (int step = 1; step < x->size; step++) {
        int i = x->rank + 2 - step;
        coll_exchange(x, ring_block(x, x->recv.buf, i), next, ring_block(x, x->recv.buf, i - 1),
                      previous);
    }
}
