/* barrier_inter.c — between two groups: a barrier in each, an exchange between the ranks 0, and
 * again a barrier in each.
 *
 * After the second barrier a process knows that all processes of the other group have entered.
 * The second phase must be a barrier: other operations need not wait for any process where there
 * is no data. Cost: a and twice that of a barrier, in both groups at the same time. */
#include "mpi/coll/algo/algo.h"

void barrier_inter(struct coll *x)
{
    const struct adi3_data nothing = coll_packed(NULL, 0);

    coll_run_in_group(x, &coll_barrier);
    if (x->rank == 0)
        coll_exchange(x, nothing, 0, nothing, 0);
    coll_run_in_group(x, &coll_barrier);
}
