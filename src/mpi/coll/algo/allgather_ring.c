/* allgather_ring.c — each process hands on, in every round, the block that came in the round before.
 *
 * Cost: (p - 1) (a + n b). Each process talks to its neighbours alone, and each byte goes straight to
 * its place: for large blocks. */
#include "algo.h"

void allgather_ring(struct coll *x)
{
    int next = (x->rank + 1) % x->size, previous = (x->rank - 1 + x->size) % x->size;
    int have = x->rank;

    coll_copy(x, x->send, coll_block(&x->recv, x->rank));
    for (int step = 1; step < x->size; step++) {
        int get = (have - 1 + x->size) % x->size;
        coll_exchange(x, coll_block(&x->recv, have), next, coll_block(&x->recv, get), previous);
        have = get;
    }
}
