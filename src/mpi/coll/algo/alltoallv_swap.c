/* alltoallv_swap.c — alltoall_swap.c for blocks of different sizes. Needs memory for the largest.
 * Cost: p a + b times the bytes of a process. */
#include "algo.h"
#include "swap.h"

void alltoallv_swap(struct coll *x)
{
    size_t largest = 0;

    for (int i = 0; i < x->size; i++)
        if (i != x->rank && (size_t) x->recvcounts[i] > largest)
            largest = (size_t) x->recvcounts[i];
    void *saved = coll_bytes(x, largest * x->recv.type->size);

    for (int round = 0; round < x->size; round++) {
        int partner = swap_partner(x, round);
        if (partner != x->rank)
            swap_block(x, coll_recv_block(x, partner), partner, saved);
    }
}
