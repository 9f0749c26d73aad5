/* allreduce_multiplying.c — recursive multiplying: groups of four exchange what they have and
 * combine it; then groups of four groups do.
 *
 * It has half as many rounds as allreduce_doubling.c, of three messages each way, and one round
 * of two processes when log2 p is odd. Operands are combined in rank order, and all processes
 * compute the same bits. Cost: log4 p (a + 3 n b + 3 n g), two more messages when p is no power
 * of two. For small data where the latency of a message counts most. */
#include "mpi/coll/algo/algo.h"
#include "mpi/coll/algo/fold.h"

enum { RADIX = 4 };

struct pool { /* buffers for the operands of a group; at first our operand may be outside of them */
    void *buf[RADIX];
    void *mine;
};

/* The i-th buffer that does not hold our operand. */
static void *pool_other_buffer(const struct pool *b, int i)
{
    for (int k = 0; k < RADIX; k++)
        if (b->buf[k] != b->mine && i-- == 0)
            return b->buf[k];
    return NULL;
}

/* Combines the operands of a group in rank order. Each result replaces the later operand, so our
 * operand must be in a buffer of ours, unless it is the first. */
static void multiplying_combine(struct coll *x, struct pool *b, void *operand[], int n)
{
    struct adi3_data ours = x->send, copy = x->recv;

    for (int i = 1; i < n; i++) {
        if (operand[i] == ours.buf && ours.buf != copy.buf) {
            copy.buf = pool_other_buffer(b, n - 1);
            coll_copy(x, ours, copy);
            operand[i] = copy.buf;
        }
        coll_apply(x, operand[i - 1], operand[i], copy.count);
    }
    b->mine = operand[n - 1];
}

/* Exchanges operands with the group: the n numbers that differ from ours only in the digit of
 * weight unit. Then combines them. */
static void multiplying_exchange(struct coll *x, const struct fold *f, struct pool *b, int unit,
                                 int n)
{
    int digit = f->me / unit % n, first = f->me - digit * unit;
    struct adi3_data d = x->recv;
    void *operand[RADIX];

    for (int i = 0, k = 0; i < n; i++)
        operand[i] = i == digit ? b->mine : pool_other_buffer(b, k++);
    for (int i = 1; i < n; i++) {
        int their = (digit + i) % n;
        d.buf = operand[their];
        coll_start_recv(x, d, fold_rank(f, first + their * unit));
    }
    d.buf = b->mine;
    for (int i = 1; i < n; i++)
        coll_start_send(x, d, fold_rank(f, first + (digit + i) % n * unit));
    coll_finish(x);
    multiplying_combine(x, b, operand, n);
}

/* Combines our operand with the operand of our partner in the pair (see fold.h). */
static void take_partner(struct coll *x, struct pool *b, int pair)
{
    struct adi3_data d = x->recv;

    d.buf = pool_other_buffer(b, 0);
    coll_recv(x, d, pair);
    coll_apply(x, b->mine, d.buf, d.count);
    b->mine = d.buf;
}

void allreduce_multiplying(struct coll *x)
{
    struct fold f = fold_make(x, 0);
    int pair = fold_partner(&f, x->rank);
    struct pool b = { .buf = { x->recv.buf }, .mine = x->send.buf };
    struct adi3_data result = x->recv;

    if (f.me < 0) {
        coll_send(x, x->send, pair);
        coll_recv(x, x->recv, pair);
        return;
    }
    for (int i = 1; i < RADIX; i++)
        b.buf[i] = coll_elements(x, x->recv.count, x->recv.type);
    if (pair >= 0)
        take_partner(x, &b, pair);
    for (int unit = 1, n; unit < f.power; unit *= n) {
        n = f.power / unit >= RADIX ? RADIX : f.power / unit;
        multiplying_exchange(x, &f, &b, unit, n);
    }
    result.buf = b.mine;
    coll_copy(x, result, x->recv);
    if (pair >= 0)
        coll_send(x, x->recv, pair);
}
