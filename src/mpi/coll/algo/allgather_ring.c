/* allgather_ring.c — in every round each process passes on the block that it received in the
 * round before.
 *
 * Cost: (p - 1) (a + n b). Each process talks to its neighbors only, and each byte goes
 * straight to its place: for large blocks. */
#include "mpi/coll/algo/algo.h"

void allgather_ring(struct coll *x)
{
    int next = (x->rank + 1) % x->size, previous = (x->rank - 1 + x->size) % x->size;
    struct adi3_data have = x->send; /* not the copy in recvbuf, which is in our cache alone */

    for (int step = 1; step < x->size; step++) {
        struct adi3_data get = coll_block(&x->recv, (x->rank - step + x->size) % x->size);
        coll_exchange(x, have, next, get, previous);
        have = get;
    }
    coll_copy(x, x->send, coll_block(&x->recv, x->rank));
}
