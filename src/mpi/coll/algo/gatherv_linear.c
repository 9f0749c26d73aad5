/* gatherv_linear.c — all processes send to the root. Only the root knows the sizes, so there is
 * no tree.
 *
 * Cost: a + b times all bytes, and p - 1 messages at the root. */
#include "mpi/coll/algo/algo.h"

void gatherv_linear(struct coll *x)
{
    if (x->rank != x->root) {
        coll_send(x, x->send, x->root);
        return;
    }
    for (int i = 0; i < x->size; i++)
        if (i != x->root)
            coll_start_recv(x, coll_recv_block(x, i), i);
    coll_copy(x, x->send, coll_recv_block(x, x->root));
}
