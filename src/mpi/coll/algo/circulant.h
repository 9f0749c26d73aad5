/* circulant.h — reduce-scatter in ceil(log2 p) rounds for any p, and the allgather that takes
 * the same way back (Träff).
 *
 * Parts are kept in a row, our own first, then those of the ranks behind ours. A round begins
 * with s parts. The last s / 2 of them go to the process that is as many ranks behind ours as
 * the first of these parts is places behind our own: for that process they are the first parts
 * of its row. So s is halved until only our own part is left, combined from the operands of all
 * processes. Operands are combined in the order of the rounds, so the operation must commute.
 * Cost: ceil(log2 p) a + n (b + g) (p - 1) / p, and a copy of all. */
#ifndef CIRCULANT_H
#define CIRCULANT_H

#include "mpi/coll/coll.h"

enum { CIRCULANT_ROUNDS = 32 };

struct circulant {
    size_t (*before)(const struct coll *x, int i); /* elements before part i; for i = p, all */
    void *row;                                     /* all parts, our own first */
    int rounds, skip[CIRCULANT_ROUNDS];            /* of each round: how many ranks parts move; s
                                                    * = skip + parts moved */
};

/* The reduce-scatter of the operands in x->send. At the end the result of our part is first in
 * the row. */
void circulant_reduce(struct coll *x, struct circulant *c);

/* The allgather, after circulant_reduce() or when our part of a result is first in the row. */
void circulant_allgather(struct coll *x, const struct circulant *c);

/* n parts of the row, beginning with the i-th. */
struct adi3_data circulant_blocks(const struct coll *x, const struct circulant *c, int i, int n);

#endif /* CIRCULANT_H */
