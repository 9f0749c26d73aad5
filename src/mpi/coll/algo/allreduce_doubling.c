/* allreduce_doubling.c — recursive doubling: partners exchange what they have and both combine
 * it, then pairs of pairs do.
 *
 * Operands are combined in rank order, and both partners compute the same bits. Cost: log2 p (a
 * + n b + n g), and two more messages when p is no power of two. For small data. */
#include "mpi/coll/algo/algo.h"
#include "mpi/coll/algo/fold.h"
#include "mpi/coll/algo/operand.h"

static void doubling_exchange(struct coll *x, struct operand *o, int partner, bool theirs_first)
{
    size_t count = x->recv.count;
    struct adi3_type *t = x->recv.type;

    coll_exchange(x, coll_range(o->mine, 0, count, t), partner,
                  coll_range(operand_recv_buffer(o, theirs_first), 0, count, t), partner);
    operand_combine(x, o, theirs_first, 0, count);
}

void allreduce_doubling(struct coll *x)
{
    struct fold f = fold_make(x, 0);
    int pair = fold_partner(&f, x->rank);
    size_t count = x->recv.count;
    struct operand o = { .mine = x->send.buf, .a = x->recv.buf };

    if (f.me < 0) {
        coll_send(x, x->send, pair);
        coll_recv(x, x->recv, pair);
        return;
    }
    o.b = coll_elements(x, count, x->recv.type);
    if (pair >= 0) {
        coll_recv(x, coll_range(operand_recv_buffer(&o, false), 0, count, x->recv.type), pair);
        operand_combine(x, &o, false, 0, count);
    }
    for (int bit = 1; bit < f.power; bit *= 2)
        doubling_exchange(x, &o, fold_rank(&f, f.me ^ bit), (f.me & bit) != 0);
    operand_copy_out(x, &o, x->recv.buf, 0, count);
    if (pair >= 0)
        coll_send(x, x->recv, pair);
}
