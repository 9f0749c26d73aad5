/* gather_inter.c — between two groups: all processes of the other group send to the root, blocks
 * of one size or of any.
 *
 * Each byte moves once, straight to its place. Cost: a + b times all bytes, and p messages at
 * the root. */
#include "mpi/coll/algo/algo.h"

void gather_inter(struct coll *x)
{
    if (x->root >= 0)
        coll_send(x, x->send, x->root);
    if (x->root != MPI_ROOT)
        return;
    for (int i = 0; i < x->comm->peers; i++)
        coll_start_recv(x, coll_recv_block(x, i), i);
}
