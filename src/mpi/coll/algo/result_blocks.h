/* result_blocks.h — the blocks of MPI_Reduce_scatter(_block): which of all elements each process
 * gets.
 *
 * x->send has all elements, x->recv only our block. */
#ifndef RESULT_BLOCKS_H
#define RESULT_BLOCKS_H

#include "mpi/coll/coll.h"

static inline size_t result_block_count(const struct coll *x, int i)
{
    return mpir_given(&x->recvcounts) ? (size_t) mpir_count(&x->recvcounts, i) : x->recv.count;
}

/* Elements before the block of rank i. */
static inline size_t result_block_first(const struct coll *x, int i)
{
    size_t first = 0;

    if (!mpir_given(&x->recvcounts))
        return (size_t) i * x->recv.count;
    for (int k = 0; k < i; k++)
        first += (size_t) mpir_count(&x->recvcounts, k);
    return first;
}

/* Block i in a buffer of all elements. */
static inline struct adi3_data result_block_of(const struct coll *x, const void *buf, int i)
{
    return coll_range(buf, result_block_first(x, i), result_block_count(x, i), x->recv.type);
}

/* Memory for our result. With MPI_IN_PLACE it is not recvbuf, because that has operands that are
 * still needed. */
static inline struct adi3_data result_block_memory(struct coll *x)
{
    struct adi3_data d = x->recv;

    if (x->send.buf == x->recv.buf)
        d.buf = coll_elements(x, d.count, d.type);
    return d;
}

#endif /* RESULT_BLOCKS_H */
