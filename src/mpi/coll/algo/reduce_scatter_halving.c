/* reduce_scatter_halving.c — recursive halving: two partners have the same range of blocks; each
 * sends one half and combines the other half, until every process has its own block.
 *
 * When p is no power of two, some processes hand their operands to the other one of their pair and
 * get their block at the end: see fold.h. When the operation commutes, the partners of the first
 * round are farthest apart, so that blocks stay in rank order. Else they are neighbors first, which
 * keeps the order of operands; then the blocks are sorted beforehand by the reversed bits of their
 * numbers, so that each half is one range. Cost: log2 p a + n (b + g) (p - 1) / p; and a copy of
 * all, or two more messages of up to n bytes. */
#include "mpi/coll/algo/algo.h"
#include "mpi/coll/algo/halving.h"
#include "mpi/coll/algo/result_blocks.h"

struct split {
    struct fold fold;
    struct operand operand;
    bool reversed; /* places are numbers with their bits reversed */
};

/* The number whose blocks are at a place, or the place of a number. */
static int split_reverse_bits(const struct split *s, int place)
{
    int number = 0;

    if (!s->reversed)
        return place;
    for (int bit = 1; bit < s->fold.power; bit *= 2, place /= 2)
        number = 2 * number + place % 2;
    return number;
}

/* The first rank whose block is at a number; the number of a pair has the blocks of both ranks. */
static int first_rank(const struct fold *f, int number)
{
    return number < f->extra ? 2 * number : number + f->extra;
}

/* Elements of the blocks at a number, and before its place. */
static size_t split_elements(const struct coll *x, const struct split *s, int number)
{
    int rank = first_rank(&s->fold, number);

    return result_block_count(x, rank)
           + (number < s->fold.extra ? result_block_count(x, rank + 1) : 0);
}

static size_t split_elements_before(const struct coll *x, const struct split *s, int place)
{
    size_t n = 0;

    if (!s->reversed)
        return place < s->fold.power ? result_block_first(x, first_rank(&s->fold, place))
                                     : x->send.count;
    for (int i = 0; i < place; i++)
        n += split_elements(x, s, split_reverse_bits(s, i));
    return n;
}

/* Copies our operands to the other buffer in the order of places. */
static void put_in_order(struct coll *x, struct split *s)
{
    struct adi3_type *t = x->recv.type;
    void *spare = operand_recv_buffer(&s->operand, true);
    size_t to = 0;

    for (int place = 0; place < s->fold.power; place++) {
        int number = split_reverse_bits(s, place);
        size_t first = result_block_first(x, first_rank(&s->fold, number)),
               n = split_elements(x, s, number);

        coll_copy(x, coll_range(s->operand.mine, first, n, t), coll_range(spare, to, n, t));
        to += n;
    }
    s->operand.mine = spare;
}

/* One round: two partners share a range of places. A partner keeps the half with its own place. */
static void split_halve(struct coll *x, struct split *s, int place, int half)
{
    int other = place ^ half, partner = split_reverse_bits(s, other);
    int rank = fold_rank(&s->fold, partner);
    int keep = place & -half, give = other & -half;
    bool theirs_first = s->reversed && partner < s->fold.me;
    size_t at = split_elements_before(x, s, keep),
           n = split_elements_before(x, s, keep + half) - at;
    size_t out = split_elements_before(x, s, give),
           m = split_elements_before(x, s, give + half) - out;
    struct adi3_type *t = x->recv.type;

    coll_exchange(x, coll_range(s->operand.mine, out, m, t), rank,
                  coll_range(operand_recv_buffer(&s->operand, theirs_first), at, n, t), rank);
    operand_combine(x, &s->operand, theirs_first, at, n);
}

/* Copies our block of the result, and sends the block of our partner in the pair. */
static void send_result_blocks(struct coll *x, const struct split *s, int place)
{
    int twin = fold_partner(&s->fold, x->rank);
    size_t at = split_elements_before(x, s, place), n = result_block_count(x, x->rank);
    struct adi3_type *t = x->recv.type;

    if (twin >= 0)
        coll_send(x, coll_range(s->operand.mine, at + n, result_block_count(x, twin), t), twin);
    coll_copy(x, coll_range(s->operand.mine, at, n, t), x->recv);
}

void reduce_scatter_halving(struct coll *x)
{
    struct split s = { .fold = fold_make(x, 0), .operand = { .mine = x->send.buf } };
    struct adi3_data ours = x->recv;

    s.reversed = !x->op->commutes;
    if (s.fold.me >= 0) {
        s.operand.a = coll_elements(x, x->send.count, ours.type);
        s.operand.b = coll_elements(x, x->send.count, ours.type);
    }
    x->recv.count = x->send.count;
    halving_fold(x, &s.fold, &s.operand);
    x->recv = ours;
    if (s.fold.me < 0) {
        coll_recv(x, ours, fold_partner(&s.fold, x->rank));
        return;
    }
    if (s.reversed)
        put_in_order(x, &s);
    int place = split_reverse_bits(&s, s.fold.me);
    for (int half = s.fold.power / 2; half > 0; half /= 2)
        split_halve(x, &s, place, half);
    send_result_blocks(x, &s, place);
}
