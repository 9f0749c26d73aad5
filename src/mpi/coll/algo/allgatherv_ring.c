/* allgatherv_ring.c — allgather_ring.c for blocks of different sizes.
 *
 * Cost: (p - 1) (a + b times the largest block). */
#include "algo.h"

void allgatherv_ring(struct coll *x)
{
    int next = (x->rank + 1) % x->size, previous = (x->rank - 1 + x->size) % x->size;
    int have = x->rank;

    coll_copy(x, x->send, coll_recv_block(x, x->rank));
    for (int step = 1; step < x->size; step++) {
        int get = (have - 1 + x->size) % x->size;
        coll_exchange(x, coll_recv_block(x, have), next, coll_recv_block(x, get), previous);
        have = get;
    }
}
