/* neighbor.h — which blocks come when in a neighbour exchange of an even number of processes.
 *
 * Pairs of ranks (0,1), (2,3), ... exchange their blocks first. From then on each gives the pair of
 * blocks that came last to its neighbour on the other side, by turns. */
#ifndef NEIGHBOR_H
#define NEIGHBOR_H

#include "coll.h"

static inline bool neighbor_fits(const struct coll *x) { return x->size % 2 == 0; }

/* Whom we meet in a round. */
static inline int neighbor_partner(const struct coll *x, int round)
{
    int step = x->rank % 2 == round % 2 ? 1 : -1;

    return (x->rank + step + x->size) % x->size;
}

/* The pair of blocks that comes in a round: from alternate sides, each time one pair farther. Ours
 * is that of round 0. */
static inline int neighbor_pair(const struct coll *x, int round)
{
    int pairs = x->size / 2, away = (round + 1) / 2;
    bool left = x->rank % 2 != round % 2;

    return (x->rank / 2 + (left ? -away : away) + pairs) % pairs;
}

#endif /* NEIGHBOR_H */
