/* barrier_shared.c — a barrier in the shared-memory segment: each process sees the flags of all
 * others, or the last one to arrive wakes the others.
 *
 * Cost: w. */
#include "mpi/coll/algo/shared.h"

void barrier_shared(struct coll *x)
{
    struct adi3_shmcoll *a = coll_shmcoll(x);
    int err = adi3_shmcoll_begin(a, x->tag, 0, true);

    if (!err)
        err = adi3_shmcoll_barrier(a);
    coll_error(x, err);
}
