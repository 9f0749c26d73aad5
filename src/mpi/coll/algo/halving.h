/* halving.h — reduce-scatter by recursive halving, the first part of Rabenseifner's algorithms.
 *
 * Partners split the range of elements they both have: each gives one half away and combines the
 * other, until every process has the result of 1/p of the elements. Neighbours meet first, so
 * operands meet in rank order. Cost: log2 p a + n (b + g) (p - 1) / p. */
#ifndef HALVING_H
#define HALVING_H

#include "fold.h"
#include "operand.h"

enum { HALVING_LEVELS = 32 };

struct halving {
    struct fold fold;
    struct operand operand;
    int levels;
    /* Our range of elements before each level; at the end, what we have the result of. */
    size_t first[HALVING_LEVELS + 1], count[HALVING_LEVELS + 1];
};

/* One of our pair gets the operands of both, in order. */
void halving_fold(struct coll *x, const struct fold *f, struct operand *o);

/* Whoever is left after the fold has its result in operand.mine. recv.buf may be NULL. */
void halving_run(struct coll *x, struct halving *h, int keep);

/* The range that our partner has when we have that of level + 1. */
struct halving_range {
    size_t first, count;
} halving_sibling(const struct halving *h, int level);

#endif /* HALVING_H */
