/* alltoallv_spread.c — alltoall_spread.c for blocks of different sizes. Cost: a + b times the bytes
 * of a process. */
#include "algo.h"

void alltoallv_spread(struct coll *x)
{
    for (int i = 1; i < x->size; i++) {
        int to = (x->rank + i) % x->size, from = (x->rank - i + x->size) % x->size;
        coll_start_recv(x, coll_recv_block(x, from), from);
        coll_start_send(x, coll_send_block(x, to), to);
    }
    coll_copy(x, coll_send_block(x, x->rank), coll_recv_block(x, x->rank));
}
