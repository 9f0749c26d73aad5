/* allreduce_doubling.c — partners exchange all they have and both combine it; then pairs of pairs.
 *
 * Operands meet in rank order, and both partners compute the same bits.
 * Cost: log2 p (a + n b + n g), two messages more when p is no power of two. For small data. */
#include "algo.h"
#include "fold.h"
#include "operand.h"

static void meet(struct coll *x, struct operand *o, int partner, bool theirs_first)
{
    size_t count = x->recv.count;
    struct adi3_type *t = x->recv.type;

    coll_exchange(x, coll_part(o->mine, 0, count, t), partner,
                  coll_part(operand_spare(o, theirs_first), 0, count, t), partner);
    operand_combine(x, o, theirs_first, 0, count);
}

void allreduce_doubling(struct coll *x)
{
    struct fold f = fold_make(x, 0);
    int twin = fold_twin(&f, x->rank);
    size_t count = x->recv.count;
    struct operand o = { .mine = x->send.buf, .a = x->recv.buf };

    if (f.me < 0) {
        coll_send(x, x->send, twin);
        coll_recv(x, x->recv, twin);
        return;
    }
    o.b = coll_elements(x, count, x->recv.type);
    if (twin >= 0) {
        coll_recv(x, coll_part(operand_spare(&o, false), 0, count, x->recv.type), twin);
        operand_combine(x, &o, false, 0, count);
    }
    for (int bit = 1; bit < f.power; bit *= 2)
        meet(x, &o, fold_rank(&f, f.me ^ bit), (f.me & bit) != 0);
    operand_deliver(x, &o, x->recv.buf, 0, count);
    if (twin >= 0)
        coll_send(x, x->recv, twin);
}
