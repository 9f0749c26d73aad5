/* allgatherv_ring.c — allgather_ring.c for blocks of different sizes.
 *
 * Cost: (p - 1) (a + b times the largest block). */
#include "mpi/coll/algo/algo.h"

void allgatherv_ring(struct coll *x)
{
    int next = (x->rank + 1) % x->size, previous = (x->rank - 1 + x->size) % x->size;
    struct adi3_data have = x->send;

    for (int step = 1; step < x->size; step++) {
        struct adi3_data get = coll_recv_block(x, (x->rank - step + x->size) % x->size);
        coll_exchange(x, have, next, get, previous);
        have = get;
    }
    coll_copy(x, x->send, coll_recv_block(x, x->rank));
}
