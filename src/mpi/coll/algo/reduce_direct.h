/* reduce_direct.h — each process combines its part of all operands, which it reads where they are:
 * see equal.h.
 *
 * The order of operands is that of allreduce_shared.c, which takes the place of this where
 * processes may not read each other's memory. */
#ifndef REDUCE_DIRECT_H
#define REDUCE_DIRECT_H

#include "direct.h"
#include "equal.h"

/* Combines the elements first to end - 1 of all operands; result is for all elements. */
int reduce_range(struct coll *x, const struct direct *d, size_t first, size_t end, void *result);
/* Puts our part into result, which is for all elements, and tells where others have theirs. */
int reduce_parts(struct coll *x, struct direct *d, void *result, bool *usable);
/* The parts of all others, into result; all: every process does so. */
int reduce_fetch(struct coll *x, const struct direct *d, void *result, bool all);

#endif /* REDUCE_DIRECT_H */
