/* barrier_inter.c — between two groups: a barrier in each, their ranks 0 meet, and again a barrier.
 *
 * Whoever leaves the second knows that all of the other group have entered. It is a barrier since
 * no other operation need wait for anybody where there is no data. Cost: a and twice that of a
 * barrier, in both groups at the same time. */
#include "algo.h"

void barrier_inter(struct coll *x)
{
    const struct adi3_data nothing = coll_packed(NULL, 0);

    coll_run_in_group(x, &coll_barrier);
    if (x->rank == 0)
        coll_exchange(x, nothing, 0, nothing, 0);
    coll_run_in_group(x, &coll_barrier);
}
