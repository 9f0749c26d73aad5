/* scatter_inter.c — between two groups: the root sends each process of the other group its
 * block, of one size or of any.
 *
 * Each byte moves once. Cost: a + b times all bytes, and p messages at the root. */
#include "mpi/coll/algo/algo.h"

void scatter_inter(struct coll *x)
{
    if (x->root >= 0)
        coll_recv(x, x->recv, x->root);
    if (x->root != MPI_ROOT)
        return;
    for (int i = 0; i < x->comm->peers; i++)
        coll_start_send(x, coll_send_block(x, i), i);
}
