/* gather_linear.c — all processes send to the root, which receives in any order.
 *
 * Each byte moves once, straight to its place. Cost: a + (p - 1) n b, and p - 1 messages at the
 * root: for large blocks or few processes. */
#include "mpi/coll/algo/algo.h"

void gather_linear(struct coll *x)
{
    if (x->rank != x->root) {
        coll_send(x, x->send, x->root);
        return;
    }
    for (int i = 0; i < x->size; i++)
        if (i != x->root)
            coll_start_recv(x, coll_block(&x->recv, i), i);
    coll_copy(x, x->send, coll_block(&x->recv, x->root));
}
