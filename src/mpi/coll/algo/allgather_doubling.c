/* allgather_doubling.c — recursive doubling: partners exchange all blocks that they have, then
 * pairs of pairs do. For p a power of two.
 *
 * Blocks go straight to their places, because a process always has a contiguous run of them.
 * Cost: log2 p a + (p - 1) n b. */
#include "mpi/coll/algo/algo.h"

void allgather_doubling(struct coll *x)
{
    size_t n = x->recv.count;
    struct adi3_data have = x->send; /* not the copy in recvbuf, which is in our cache alone */

    for (int bit = 1; bit < x->size; bit *= 2) {
        int partner = x->rank ^ bit;
        size_t theirs = (size_t) (partner & -bit), both = (size_t) (x->rank & -(2 * bit));
        coll_exchange(x, have, partner,
                      coll_range(x->recv.buf, theirs * n, (size_t) bit * n, x->recv.type), partner);
        if (bit == 1)
            coll_copy(x, x->send, coll_block(&x->recv, x->rank));
        have = coll_range(x->recv.buf, both * n, 2 * (size_t) bit * n, x->recv.type);
    }
    if (x->size == 1)
        coll_copy(x, x->send, x->recv);
}
