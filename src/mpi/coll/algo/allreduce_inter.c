/* allreduce_inter.c — between two groups: each group reduces to its rank 0, the ranks 0 exchange
 * the results, and each broadcasts the other group's result in its own group.
 *
 * Cost: that of a reduction, a + n b, and that of a broadcast, in both groups at the same time. */
#include "mpi/coll/algo/algo.h"

void allreduce_inter(struct coll *x)
{
    const struct adi3_data theirs = x->recv;

    x->recv.buf = x->rank == 0 ? coll_elements(x, theirs.count, theirs.type) : NULL;
    coll_run_in_group(x, &coll_reduce);
    if (x->rank == 0)
        coll_exchange(x, x->recv, 0, theirs, 0);
    x->recv = theirs;
    coll_run_in_group(x, &coll_bcast);
}
