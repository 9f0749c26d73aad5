/* circulant.h — reduce-scatter in ceil(log2 p) rounds for any p, and the allgather that takes
 * the same way back (Träff).
 *
 * Blocks are kept in a row, our own first, then those of the ranks behind ours. A round begins with
 * s blocks. The last s / 2 of them go to the process that is as many ranks behind ours as the first
 * of these blocks is places behind our own: for that process they are the first blocks of its row.
 * So s is halved until only our own block is left, combined from the operands of all processes.
 * Operands are combined in the order of the rounds, so the operation must commute. Cost: ceil(log2
 * p) a + n (b + g) (p - 1) / p, and a copy of all. */
#ifndef CIRCULANT_H
#define CIRCULANT_H

#include "mpi/coll/coll.h"

enum { CIRCULANT_ROUNDS = 32 };

struct circulant {
    size_t (*before)(const struct coll *x, int i); /* elements before block i; for i = p, all */
    void *row;                                     /* all blocks, our own first */
    int rounds, skip[CIRCULANT_ROUNDS];            /* of each round: how many ranks blocks move; s =
                                                    * skip + blocks moved */
};

/* The reduce-scatter of the operands in x->send. At the end the result of our block is first in the
 * row. */
void circulant_reduce(struct coll *x, struct circulant *c);

/* The allgather, after circulant_reduce() or when our block of a result is first in the row. */
void circulant_allgather(struct coll *x, const struct circulant *c);

/* n blocks of the row, beginning with the i-th. */
struct adi3_data circulant_blocks(const struct coll *x, const struct circulant *c, int i, int n);

#endif /* CIRCULANT_H */
