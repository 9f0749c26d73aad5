/* bcast_linear.c — the root sends to each process.
 *
 * Cost: a + (p - 1) n b, and p - 1 messages at the root. For small data where processes share
 * cores: see barrier_linear.c. */
#include "mpi/coll/algo/algo.h"

void bcast_linear(struct coll *x)
{
    if (x->rank != x->root) {
        coll_recv(x, x->recv, x->root);
        return;
    }
    for (int i = 1; i < x->size; i++)
        coll_send(x, x->recv, (x->root + i) % x->size);
}
