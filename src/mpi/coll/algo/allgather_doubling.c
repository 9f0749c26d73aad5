/* allgather_doubling.c — partners exchange all they have; then pairs of pairs. For p a power of two.
 *
 * Blocks go straight to their places: what a process has is always a run of them.
 * Cost: log2 p a + (p - 1) n b. */
#include "algo.h"

void allgather_doubling(struct coll *x)
{
    size_t n = x->recv.count;

    coll_copy(x, x->send, coll_block(&x->recv, x->rank));
    for (int bit = 1; bit < x->size; bit *= 2) {
        int partner = x->rank ^ bit;
        size_t ours = (size_t) (x->rank & -bit), theirs = (size_t) (partner & -bit);
        coll_exchange(x, coll_part(x->recv.buf, ours * n, (size_t) bit * n, x->recv.type), partner,
                      coll_part(x->recv.buf, theirs * n, (size_t) bit * n, x->recv.type), partner);
    }
}
