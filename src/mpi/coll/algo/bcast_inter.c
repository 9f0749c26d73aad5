/* bcast_inter.c — from the root of one group to the other group: the root sends to its rank 0,
 * which broadcasts there.
 *
 * The data crosses between the groups once. Cost: a + n b, and that of a broadcast in the other
 * group. */
#include "mpi/coll/algo/algo.h"

void bcast_inter(struct coll *x)
{
    if (x->root == MPI_ROOT)
        coll_send(x, x->recv, 0);
    if (x->root < 0)
        return;
    if (x->rank == 0)
        coll_recv(x, x->recv, x->root);
    x->root = 0;
    coll_run_in_group(x, &coll_bcast);
}
