/* reduce_inter.c — between two groups: the group without the root reduces to its rank 0, which
 * sends the result to the root.
 *
 * Cost: that of a reduction in the other group, and a + n b. */
#include "mpi/coll/algo/algo.h"

void reduce_inter(struct coll *x)
{
    int root = x->root;

    if (root == MPI_ROOT)
        coll_recv(x, x->recv, 0);
    if (root < 0)
        return;
    if (x->rank == 0)
        x->recv.buf = coll_elements(x, x->recv.count, x->recv.type);
    x->root = 0;
    coll_run_in_group(x, &coll_reduce);
    if (x->rank == 0)
        coll_send(x, x->recv, root);
}
