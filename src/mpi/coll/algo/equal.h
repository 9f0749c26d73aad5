/* equal.h — a reduction's elements in parts, one for each process: the first parts have an element
 * more than the last, if they cannot all be equal. */
#ifndef EQUAL_H
#define EQUAL_H

#include "coll.h"

/* Elements before part i, and of all: part p. */
static inline size_t equal_first(const struct coll *x, int i)
{
    size_t p = (size_t) x->size, k = (size_t) i, rest = x->recv.count % p;

    return x->recv.count / p * k + (k < rest ? k : rest);
}

/* Part i in a buffer of all. */
static inline struct adi3_data equal_part(const struct coll *x, const void *buf, int i)
{
    size_t first = equal_first(x, i);

    return coll_part(buf, first, equal_first(x, i + 1) - first, x->recv.type);
}

#endif /* EQUAL_H */
