/* scatterv_linear.c — the root sends each block. Only the root knows the sizes, so there is no
 * tree.
 *
 * Cost: a + b times all bytes, and p - 1 messages at the root. */
#include "mpi/coll/algo/algo.h"

void scatterv_linear(struct coll *x)
{
    if (x->rank != x->root) {
        coll_recv(x, x->recv, x->root);
        return;
    }
    for (int i = 0; i < x->size; i++)
        if (i != x->root)
            coll_start_send(x, coll_send_block(x, i), i);
    coll_copy(x, coll_send_block(x, x->root), x->recv);
}
