/* neighbor.h — the order of blocks in a neighbor exchange of an even number of processes.
 *
 * First the pairs of ranks (0,1), (2,3), ... exchange their blocks. Then each process passes the
 * pair of blocks that it received last to its neighbors, left and right by turns. */
#ifndef NEIGHBOR_H
#define NEIGHBOR_H

#include "mpi/coll/coll.h"

static inline bool neighbor_fits(const struct coll *x) { return x->size % 2 == 0; }

/* Our partner in a round. */
static inline int neighbor_partner(const struct coll *x, int round)
{
    int step = x->rank % 2 == round % 2 ? 1 : -1;

    return (x->rank + step + x->size) % x->size;
}

/* The pair of blocks that we receive in a round: from left and right by turns, each time one
 * pair farther away. In round 0 it is our own pair. */
static inline int neighbor_pair(const struct coll *x, int round)
{
    int pairs = x->size / 2, away = (round + 1) / 2;
    bool left = x->rank % 2 != round % 2;

    return (x->rank / 2 + (left ? -away : away) + pairs) % pairs;
}

#endif /* NEIGHBOR_H */
