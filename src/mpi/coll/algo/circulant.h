/* circulant.h — reduce-scatter in ceil(log2 p) rounds for any p, and its way back (Träff).
 *
 * Parts are kept in a row, our own first, then those of the ranks behind ours. Of s parts, in each
 * round the last s / 2 go to the process as far behind us as the first of them is: there they are
 * the first ones. So s is halved until our own part is left, whose operands have come from all;
 * they meet in the order of the rounds, so the operation must commute. Cost: ceil(log2 p) a +
 * n (b + g) (p - 1) / p, and a copy of all. */
#ifndef CIRCULANT_H
#define CIRCULANT_H

#include "coll.h"

enum { CIRCULANT_ROUNDS = 32 };

struct circulant {
    size_t (*before)(const struct coll *x, int i); /* elements before part i, and of all: part p */
    void *row;                                     /* all parts, our own first */
    int rounds, skip[CIRCULANT_ROUNDS];            /* how far parts move; s is skip + what moves */
};

/* Combines the operands in x->send. Afterwards the result of our part is first in the row. */
void circulant_reduce(struct coll *x, struct circulant *c);

/* When each has its part of a result first in the row: brings all parts to all. */
void circulant_allgather(struct coll *x, const struct circulant *c);

/* n parts from the i-th of the row on. */
struct adi3_data circulant_parts(const struct coll *x, const struct circulant *c, int i, int n);

#endif /* CIRCULANT_H */
