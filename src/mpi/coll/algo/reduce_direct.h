/* reduce_direct.h — each process combines its block (see equal.h) of all operands, which it reads
 * where they are.
 *
 * The order of operands is that of allreduce_shared.c, which is used where processes may not
 * read each other's memory. */
#ifndef REDUCE_DIRECT_H
#define REDUCE_DIRECT_H

#include "mpi/coll/algo/direct.h"
#include "mpi/coll/algo/equal.h"

/* Combines the elements first to end - 1 of all operands. result: a buffer of all elements. */
int reduce_range(struct coll *x, const struct direct *d, size_t first, size_t end, void *result);
/* Combines our block into result, a buffer of all elements, and exchanges where each process has
 * its block. */
int reduce_blocks(struct coll *x, struct direct *d, void *result, bool *usable);
/* Reads the blocks of all others into result. all: every process does this at the same time. */
int reduce_fetch(struct coll *x, const struct direct *d, void *result, bool all);

#endif /* REDUCE_DIRECT_H */
