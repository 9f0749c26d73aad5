/* reduce_direct.h — each process combines its block (see equal.h) of all operands, which it reads
 * where they are.
 *
 * The order of operands is that of allreduce_shared.c, which is used where processes may not
 * read each other's memory. */
#ifndef REDUCE_DIRECT_H
#define REDUCE_DIRECT_H

#include "mpi/coll/algo/direct.h"
#include "mpi/coll/algo/equal.h"

struct reduce_result { /* a buffer of all elements: an address in the process with this rank */
    int rank;
    uint64_t at;
};

/* Combines the elements first to end - 1 of all operands. */
int reduce_range(struct coll *x, const struct direct *d, size_t first, size_t end,
                 struct reduce_result result);

#endif /* REDUCE_DIRECT_H */
