/* barrier_inter.c — between two groups: each reports to its rank 0, these meet, and release theirs.
 *
 * Whoever is released knows that all of the other group have entered. Cost: (1 + 2 log2 p) a. */
#include "algo.h"

void barrier_inter(struct coll *x)
{
    x->send = x->recv = coll_packed(NULL, 0);
    coll_within(x, &coll_gather);
    if (x->rank == 0)
        coll_exchange(x, x->send, 0, x->recv, 0);
    coll_within(x, &coll_bcast);
}
