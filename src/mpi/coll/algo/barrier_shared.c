/* barrier_shared.c — all tell all, or the last one to come wakes the others.
 *
 * Cost: w. */
#include "shared.h"

void barrier_shared(struct coll *x)
{
    struct adi3_shmcoll *a = coll_shmcoll(x);
    int err = adi3_shmcoll_begin(a, x->tag, 0, true);

    coll_error(x, err ? err : adi3_shmcoll_barrier(a));
}
