/* halving.h — reduce-scatter by recursive halving, the first part of Rabenseifner's algorithms.
 *
 * Two partners have the same range of elements. Each sends one half and combines the other half,
 * until every process has the result of 1/p of the elements. Partners are neighbors first and
 * get farther apart, so that operands are combined in rank order. Cost: log2 p a + n (b + g) (p
 * - 1) / p. */
#ifndef HALVING_H
#define HALVING_H

#include "mpi/coll/algo/fold.h"
#include "mpi/coll/algo/operand.h"

enum { HALVING_LEVELS = 32 };

struct halving {
    struct fold fold;
    struct operand operand;
    int levels;
    /* Our range of elements before each level. The last range, after all levels, holds our
     * result. */
    size_t first[HALVING_LEVELS + 1], count[HALVING_LEVELS + 1];
};

/* In each pair of fold.h, combines the operands of both, in order, at the one that is left. */
void halving_fold(struct coll *x, const struct fold *f, struct operand *o);

/* The reduce-scatter. Processes that are left by fold.h have their result in operand.mine.
 * recv.buf may be NULL. */
void halving_run(struct coll *x, struct halving *h, int keep);

/* The range of our partner after a level, when our range is the range of level + 1. */
struct halving_range {
    size_t first, count;
} halving_sibling(const struct halving *h, int level);

#endif /* HALVING_H */
