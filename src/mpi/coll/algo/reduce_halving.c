/* reduce_halving.c — recursive halving, then the parts are gathered at the root (Rabenseifner).
 *
 * Each process combines only 1/p of the data at a time, instead of all of it log2 p times.
 * Cost: 2 log2 p a + n (2 b + g) (p - 1) / p; a message of n more when p is no power of two. */
#include "algo.h"
#include "halving.h"

/* Backwards through the levels: of two partners, the one on the root's side takes it all. */
static void gather_parts(struct coll *x, const struct halving *h)
{
    int root = fold_number(&h->fold, x->root);

    for (int level = h->levels - 1; level >= 0; level--) {
        int bit = 1 << level, partner = fold_rank(&h->fold, h->fold.me ^ bit);
        struct adi3_type *t = x->recv.type;

        if ((h->fold.me ^ root) & bit) {
            coll_send(x, coll_part(h->operand.mine, h->first[level + 1], h->count[level + 1], t),
                      partner);
            return;
        }
        struct halving_range r = halving_sibling(h, level);
        coll_recv(x, coll_part(h->operand.mine, r.first, r.count, t), partner);
    }
}

void reduce_halving(struct coll *x)
{
    struct halving h;

    halving_run(x, &h, x->root);
    if (h.fold.me < 0)
        return;
    if (x->rank == x->root) { /* parts go where the result is wanted, and ours with them */
        operand_copy_out(x, &h.operand, x->recv.buf, h.first[h.levels], h.count[h.levels]);
        h.operand.mine = x->recv.buf;
    }
    gather_parts(x, &h);
}
