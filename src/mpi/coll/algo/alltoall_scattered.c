/* alltoall_scattered.c — alltoall_spread.c with a limited number of messages under way at a
 * time. Also for blocks of different sizes and types.
 *
 * Too many messages at once fill queues and buffers; one at a time makes a process wait for each
 * late partner. Cost: ceil((p - 1) / s) a + (p - 1) n b, with s messages each way at a time. */
#include "mpi/coll/algo/algo.h"

enum { AT_A_TIME = 8 };

void alltoall_scattered(struct coll *x)
{
    for (int i = 1; i < x->size; i++) {
        int to = (x->rank + i) % x->size, from = (x->rank - i + x->size) % x->size;
        coll_start_recv(x, coll_recv_block(x, from), from);
        coll_start_send(x, coll_send_block(x, to), to);
        if (i % AT_A_TIME == 0)
            coll_finish(x);
    }
    coll_copy(x, coll_send_block(x, x->rank), coll_recv_block(x, x->rank));
}
