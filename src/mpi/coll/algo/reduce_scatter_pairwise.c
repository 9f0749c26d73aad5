/* reduce_scatter_pairwise.c — in round i each process sends the rank i behind it that rank's block,
 * receives its own block from the rank i before it, and combines it.
 *
 * Operands come from the next lower rank each time, then from the highest down. When the order
 * counts, those of the ranks behind ours are combined apart. Each byte moves once, straight to
 * its place. Cost: (p - 1) a + n (b + g) (p - 1) / p, for any p. */
#include "mpi/coll/algo/algo.h"
#include "mpi/coll/algo/result_blocks.h"

/* result = theirs op result, in rank order. high: the result of the ranks behind ours. */
static void pairwise_combine(struct coll *x, struct adi3_data theirs, struct adi3_data *high,
                             void *result, int from)
{
    bool apart = !x->op->commutes && from > x->rank;

    if (apart && !high->buf)
        high->buf = theirs.buf;
    else
        coll_apply(x, theirs.buf, apart ? high->buf : result, theirs.count);
}

void reduce_scatter_pairwise(struct coll *x)
{
    struct adi3_data result = result_block_memory(x), theirs = x->recv, high = x->recv;

    high.buf = NULL;
    theirs.buf = coll_elements(x, theirs.count, theirs.type);
    coll_copy(x, result_block_of(x, x->send.buf, x->rank), result);
    for (int i = 1; i < x->size; i++) {
        int to = (x->rank + i) % x->size, from = (x->rank - i + x->size) % x->size;

        if (high.buf == theirs.buf)
            theirs.buf = coll_elements(x, theirs.count, theirs.type);
        coll_exchange(x, result_block_of(x, x->send.buf, to), to, theirs, from);
        pairwise_combine(x, theirs, &high, result.buf, from);
    }
    if (high.buf) {
        coll_apply(x, result.buf, high.buf, high.count);
        result = high;
    }
    coll_copy(x, result, x->recv);
}
