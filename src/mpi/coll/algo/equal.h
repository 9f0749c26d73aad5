/* equal.h — divides the elements of a reduction into one block for each process. Sizes differ by
 * one element at most; the first blocks are the larger ones. */
#ifndef EQUAL_H
#define EQUAL_H

#include "mpi/coll/coll.h"

/* Elements before block i; for i = p, all. */
static inline size_t equal_first(const struct coll *x, int i)
{
    size_t p = (size_t) x->size, k = (size_t) i, rest = x->recv.count % p;

    return x->recv.count / p * k + (k < rest ? k : rest);
}

/* Block i in a buffer of all elements. */
static inline struct adi3_data equal_block(const struct coll *x, const void *buf, int i)
{
    size_t first = equal_first(x, i);

    return coll_range(buf, first, equal_first(x, i + 1) - first, x->recv.type);
}

#endif /* EQUAL_H */
