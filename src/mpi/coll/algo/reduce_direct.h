/* reduce_direct.h — each process combines its part of all operands, which it reads where they are.
 *
 * The order of operands is that of allreduce_shared.c, which takes the place of this where
 * processes may not read each other's memory. */
#ifndef REDUCE_DIRECT_H
#define REDUCE_DIRECT_H

#include "direct.h"

/* Combines the elements first to end - 1 of all operands; result is for all elements. */
int reduce_range(struct coll *x, const struct direct *d, size_t first, size_t end, void *result);
/* Puts our part into result, which is for all elements, and tells where others have theirs. */
int reduce_parts(struct coll *x, struct direct *d, void *result, bool *usable);
/* The parts of all others, into result; all: every process does so. */
int reduce_fetch(struct coll *x, const struct direct *d, void *result, bool all);

/* The first element of a rank's part. */
static inline size_t reduce_part(const struct coll *x, int i)
{
    size_t count = x->recv.count, p = (size_t) x->size;

    return count / p * (size_t) i + count % p * (size_t) i / p;
}

#endif /* REDUCE_DIRECT_H */
