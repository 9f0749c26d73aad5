/* reduce_halving.c — recursive halving, then the blocks are gathered at the root (Rabenseifner).
 *
 * Each process combines n elements in all, instead of n in each of log2 p rounds. Cost: 2 log2 p
 * a + n (2 b + g) (p - 1) / p; one more message of n bytes when p is no power of two. */
#include "mpi/coll/algo/algo.h"
#include "mpi/coll/algo/halving.h"

/* Back through the levels: of two partners, the one nearer to the root receives what the other
 * has. */
static void gather_blocks(struct coll *x, const struct halving *h)
{
    int root = fold_number(&h->fold, x->root);

    for (int level = h->levels - 1; level >= 0; level--) {
        int bit = 1 << level, partner = fold_rank(&h->fold, h->fold.me ^ bit);
        struct adi3_type *t = x->recv.type;

        if ((h->fold.me ^ root) & bit) {
            coll_send(x, coll_range(h->operand.mine, h->first[level + 1], h->count[level + 1], t),
                      partner);
            return;
        }
        struct halving_range r = halving_sibling(h, level);
        coll_recv(x, coll_range(h->operand.mine, r.first, r.count, t), partner);
    }
}

void reduce_halving(struct coll *x)
{
    struct halving h;

    halving_run(x, &h, x->root);
    if (h.fold.me < 0)
        return;
    if (x->rank == x->root) { /* blocks are received in recvbuf, so our own must be there, too */
        operand_copy_out(x, &h.operand, x->recv.buf, h.first[h.levels], h.count[h.levels]);
        h.operand.mine = x->recv.buf;
    }
    gather_blocks(x, &h);
}
