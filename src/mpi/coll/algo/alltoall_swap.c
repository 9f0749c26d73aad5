/* alltoall_swap.c — pairs of processes swap their blocks in place, pair after pair. Also for
 * blocks of different sizes and types.
 *
 * It needs memory for one block only, which is the purpose of MPI_IN_PLACE (§5.3.6). Cost: p (a
 * + n b). */
#include "mpi/coll/algo/algo.h"
#include "mpi/coll/algo/swap.h"

void alltoall_swap(struct coll *x)
{
    size_t largest = 0;

    for (int i = 0; i < x->size; i++) {
        size_t len = coll_size(coll_recv_block(x, i));
        if (i != x->rank && len > largest)
            largest = len;
    }
    void *saved = coll_bytes(x, largest);

    for (int round = 0; round < x->size; round++) {
        int partner = swap_partner(x, round);
        if (partner != x->rank)
            swap_block(x, coll_recv_block(x, partner), partner, saved);
    }
}
