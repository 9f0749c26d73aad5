/* allreduce_halving.c — reduce-scatter by recursive halving, then an allgather that takes the
 * same way back (Rabenseifner).
 *
 * Cost: 2 log2 p a + n (2 b + g) (p - 1) / p; two more messages of n bytes when p is no power of
 * two. */
#include "mpi/coll/algo/algo.h"
#include "mpi/coll/algo/halving.h"

void allreduce_halving(struct coll *x)
{
    struct halving h;
    struct adi3_type *t = x->recv.type;
    int pair;

    halving_run(x, &h, 0);
    pair = fold_partner(&h.fold, x->rank);
    if (h.fold.me < 0) {
        coll_recv(x, x->recv, pair);
        return;
    }
    operand_copy_out(x, &h.operand, x->recv.buf, h.first[h.levels], h.count[h.levels]);
    for (int level = h.levels - 1; level >= 0; level--) {
        int partner = fold_rank(&h.fold, h.fold.me ^ 1 << level);
        struct halving_range r = halving_sibling(&h, level);
        coll_exchange(x, coll_range(x->recv.buf, h.first[level + 1], h.count[level + 1], t),
                      partner, coll_range(x->recv.buf, r.first, r.count, t), partner);
    }
    if (pair >= 0)
        coll_send(x, x->recv, pair);
}
