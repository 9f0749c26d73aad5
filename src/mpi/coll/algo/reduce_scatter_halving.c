/* reduce_scatter_halving.c — partners split the range of parts they both have: each gives one half
 * away and combines the other, until every process has its part (recursive halving).
 *
 * When p is no power of two, some processes hand their operands to a twin, and get their part at
 * the end: see fold.h. When the operation commutes, the farthest meet first, so that parts are in
 * the order of ranks. Else neighbours meet first, to keep operands in that order, and the operands
 * are first put where the halves are one range each: by the bits of their number, turned round.
 * Cost: log2 p a + n (b + g) (p - 1) / p; a copy of all, or two messages of up to n, more. */
#include "algo.h"
#include "halving.h"
#include "parts.h"

struct split {
    struct fold fold;
    struct operand operand;
    bool turned; /* places are numbers with their bits turned round */
};

/* The number whose parts are at a place; and the place of a number. */
static int turn(const struct split *s, int place)
{
    int number = 0;

    if (!s->turned)
        return place;
    for (int bit = 1; bit < s->fold.power; bit *= 2, place /= 2)
        number = 2 * number + place % 2;
    return number;
}

/* The first rank whose part a number stands for; it has the next one's too if that folds. */
static int first_rank(const struct fold *f, int number)
{
    return number < f->extra ? 2 * number : number + f->extra;
}

/* Elements of the ranks of a number, and in a buffer of all in the order of places. */
static size_t elements(const struct coll *x, const struct split *s, int number)
{
    int rank = first_rank(&s->fold, number);

    return parts_count(x, rank) + (number < s->fold.extra ? parts_count(x, rank + 1) : 0);
}

static size_t before(const struct coll *x, const struct split *s, int place)
{
    size_t n = 0;

    if (!s->turned)
        return place < s->fold.power ? parts_first(x, first_rank(&s->fold, place)) : x->send.count;
    for (int i = 0; i < place; i++)
        n += elements(x, s, turn(s, i));
    return n;
}

/* Our operands in the order of places, in the other buffer. */
static void put_in_order(struct coll *x, struct split *s)
{
    struct adi3_type *t = x->recv.type;
    void *spare = operand_recv_buffer(&s->operand, true);
    size_t to = 0;

    for (int place = 0; place < s->fold.power; place++) {
        int number = turn(s, place);
        size_t first = parts_first(x, first_rank(&s->fold, number)), n = elements(x, s, number);

        coll_copy(x, coll_part(s->operand.mine, first, n, t), coll_part(spare, to, n, t));
        to += n;
    }
    s->operand.mine = spare;
}

/* Of the places from on, half of which ours is in with its partner's, keeps the half with ours. */
static void halve(struct coll *x, struct split *s, int place, int half)
{
    int other = place ^ half, partner = turn(s, other);
    int rank = fold_rank(&s->fold, partner);
    int keep = place & -half, give = other & -half;
    bool theirs_first = s->turned && partner < s->fold.me;
    size_t at = before(x, s, keep), n = before(x, s, keep + half) - at;
    size_t out = before(x, s, give), m = before(x, s, give + half) - out;
    struct adi3_type *t = x->recv.type;

    coll_exchange(x, coll_part(s->operand.mine, out, m, t), rank,
                  coll_part(operand_recv_buffer(&s->operand, theirs_first), at, n, t), rank);
    operand_combine(x, &s->operand, theirs_first, at, n);
}

/* Our part of what we have, and our twin's. */
static void send_parts(struct coll *x, const struct split *s, int place)
{
    int twin = fold_partner(&s->fold, x->rank);
    size_t at = before(x, s, place), n = parts_count(x, x->rank);
    struct adi3_type *t = x->recv.type;

    if (twin >= 0)
        coll_send(x, coll_part(s->operand.mine, at + n, parts_count(x, twin), t), twin);
    coll_copy(x, coll_part(s->operand.mine, at, n, t), x->recv);
}

void reduce_scatter_halving(struct coll *x)
{
    struct split s = { .fold = fold_make(x, 0), .operand = { .mine = x->send.buf } };
    struct adi3_data ours = x->recv;

    s.turned = !x->op->commutes;
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
    if (s.turned)
        put_in_order(x, &s);
    int place = turn(&s, s.fold.me);
    for (int half = s.fold.power / 2; half > 0; half /= 2)
        halve(x, &s, place, half);
    send_parts(x, &s, place);
}
