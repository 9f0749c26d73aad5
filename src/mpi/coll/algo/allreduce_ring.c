/* allreduce_ring.c — p parts travel round a ring: once to be combined, once to be handed out.
 *
 * The operands of part i meet in the order of the ring, from rank i on, so the operation must
 * commute; each part is computed once, so all processes have the same bits.
 * Cost: 2 (p - 1) a + n (2 b + g) (p - 1) / p, whatever p is. */
#include "algo.h"
#include "equal.h"

/* Part i, counted round the ring, in a buffer of all. */
static struct adi3_data part(const struct coll *x, const void *buf, int i)
{
    return equal_part(x, buf, (i + x->size) % x->size);
}

/* Where the partial result of part i comes in. It must not overwrite our operand, which with
 * MPI_IN_PLACE is in recvbuf: then partial results stay in two buffers by turns. */
static struct adi3_data incoming(const struct coll *x, int i, void *turn)
{
    struct adi3_data d = part(x, x->recv.buf, i);

    return turn ? coll_part(turn, 0, d.count, d.type) : d;
}

/* Afterwards the result of part rank + 1 is ours. */
static void combine(struct coll *x, int next, int previous)
{
    struct adi3_data from = part(x, x->send.buf, x->rank);
    void *turn[2] = { NULL, NULL };

    for (int i = 0; i < 2 && x->send.buf == x->recv.buf; i++)
        turn[i] = coll_elements(x, part(x, NULL, 0).count, x->recv.type); /* none is larger */
    for (int step = 1; step < x->size; step++) {
        int i = x->rank - step;
        struct adi3_data to = incoming(x, i, turn[step % 2]);

        coll_exchange(x, from, next, to, previous);
        coll_apply(x, part(x, x->send.buf, i).buf, to.buf, to.count);
        from = to;
    }
    coll_copy(x, from, part(x, x->recv.buf, x->rank + 1));
}

void allreduce_ring(struct coll *x)
{
    int next = (x->rank + 1) % x->size, previous = (x->rank - 1 + x->size) % x->size;

    combine(x, next, previous);
    for (int step = 1; step < x->size; step++) {
        int i = x->rank + 2 - step;
        coll_exchange(x, part(x, x->recv.buf, i), next, part(x, x->recv.buf, i - 1), previous);
    }
}
