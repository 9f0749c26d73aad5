/* halving.c — reduce-scatter by recursive halving. */
#include "mpi/coll/algo/halving.h"

void halving_fold(struct coll *x, const struct fold *f, struct operand *o)
{
    int pair = fold_partner(f, x->rank);
    size_t count = x->recv.count;
    struct adi3_type *t = x->recv.type;

    if (f->me < 0) {
        coll_send(x, coll_range(o->mine, 0, count, t), pair);
    } else if (pair >= 0) {
        bool theirs_first = pair < x->rank;
        coll_recv(x, coll_range(operand_recv_buffer(o, theirs_first), 0, count, t), pair);
        operand_combine(x, o, theirs_first, 0, count);
    }
}

struct halving_range halving_sibling(const struct halving *h, int level)
{
    size_t first = h->first[level], ours = h->first[level + 1], n = h->count[level + 1];

    return (struct halving_range) { ours == first ? first + n : first, h->count[level] - n };
}

/* One level. The partner with the lower number keeps the first half. */
static void halving_run_level(struct coll *x, struct halving *h, int level)
{
    int partner = h->fold.me ^ 1 << level, rank = fold_rank(&h->fold, partner);
    bool theirs_first = partner < h->fold.me;
    size_t half = h->count[level] / 2;
    struct adi3_type *t = x->recv.type;

    h->first[level + 1] = h->first[level] + (theirs_first ? half : 0);
    h->count[level + 1] = theirs_first ? h->count[level] - half : half;

    size_t first = h->first[level + 1], count = h->count[level + 1];
    struct halving_range give = halving_sibling(h, level);
    void *spare = operand_recv_buffer(&h->operand, theirs_first);
    coll_exchange(x, coll_range(h->operand.mine, give.first, give.count, t), rank,
                  coll_range(spare, first, count, t), rank);
    operand_combine(x, &h->operand, theirs_first, first, count);
}

void halving_run(struct coll *x, struct halving *h, int keep)
{
    size_t count = x->recv.count;

    h->fold = fold_make(x, keep);
    h->operand = (struct operand) { .mine = x->send.buf, .a = x->recv.buf };
    if (h->fold.me >= 0 && !h->operand.a)
        h->operand.a = coll_elements(x, count, x->recv.type);
    if (h->fold.me >= 0)
        h->operand.b = coll_elements(x, count, x->recv.type);
    halving_fold(x, &h->fold, &h->operand);

    h->levels = 0;
    h->first[0] = 0;
    h->count[0] = count;
    for (; h->fold.me >= 0 && 1 << h->levels < h->fold.power; h->levels++)
        halving_run_level(x, h, h->levels);
}
