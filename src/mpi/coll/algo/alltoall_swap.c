/* alltoall_swap.c — pairs of processes swap their blocks in place, pair after pair.
 *
 * Needs memory for one block only, as users of MPI_IN_PLACE hope (§5.3.6). Cost: p (a + n b). */
#include "algo.h"
#include "swap.h"

void alltoall_swap(struct coll *x)
{
    void *saved = coll_bytes(x, coll_size(x->recv));

    for (int round = 0; round < x->size; round++) {
        int partner = swap_partner(x, round);
        if (partner != x->rank)
            swap_block(x, coll_block(&x->recv, partner), partner, saved);
    }
}
