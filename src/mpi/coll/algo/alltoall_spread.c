/* alltoall_spread.c — all messages at once, as many as may be under way. Also for blocks of
 * different sizes and types.
 *
 * Each process begins with its neighbor, so that not all send to the same receiver, and no
 * process waits for a late one before it sends to the rest. Cost: a + (p - 1) n b. */
#include "mpi/coll/algo/algo.h"

void alltoall_spread(struct coll *x)
{
    for (int i = 1; i < x->size; i++) {
        int to = (x->rank + i) % x->size, from = (x->rank - i + x->size) % x->size;
        coll_start_recv(x, coll_recv_block(x, from), from);
        coll_start_send(x, coll_send_block(x, to), to);
    }
    coll_copy(x, coll_send_block(x, x->rank), coll_recv_block(x, x->rank));
}
