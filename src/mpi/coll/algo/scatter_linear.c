/* scatter_linear.c — the root sends each block to its process.
 *
 * Each byte moves once. Cost: a + (p - 1) n b, and p - 1 messages at the root: for large blocks or
 * few processes. */
#include "mpi/coll/algo/algo.h"

void scatter_linear(struct coll *x)
{
    if (x->rank != x->root) {
        coll_recv(x, x->recv, x->root);
        return;
    }
    for (int i = 0; i < x->size; i++)
        if (i != x->root)
            coll_start_send(x, coll_block(&x->send, i), i);
    coll_copy(x, coll_block(&x->send, x->root), x->recv);
}
