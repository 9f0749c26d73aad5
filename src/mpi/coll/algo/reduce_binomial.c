/* reduce_binomial.c — each process combines what its children have with its own, and hands it up.
 *
 * A subtree is a run of consecutive ranks, so operands meet in rank order. The run begins with the
 * root when the operation commutes; else with rank 0, which then has to hand the result to the
 * root. Cost: ceil(log2 p) (a + n b + n g), where g is the time to combine a byte. */
#include "algo.h"
#include "operand.h"

/* How many hand their results to us. */
static int count_children(const struct coll *x, int me)
{
    int n = 0;

    for (int bit = 1; me + bit < x->size && !(me & bit); bit *= 2)
        n++;
    return n;
}

/* Buffers for the results of n children, such that the last lands in recvbuf. */
static struct operand make_operand(struct coll *x, int n)
{
    size_t count = x->recv.count;
    struct operand o = { .mine = x->send.buf };
    void *first = NULL;

    if (n > 0)
        first = x->recv.buf ? x->recv.buf : coll_elements(x, count, x->recv.type);
    void *second = n > 1 || first == o.mine ? coll_elements(x, count, x->recv.type) : NULL;

    o.a = n % 2 ? first : second;
    o.b = n % 2 ? second : first;
    return o;
}

void reduce_binomial(struct coll *x)
{
    int top = x->op->commutes ? x->root : 0;
    int me = (x->rank - top + x->size) % x->size;
    struct operand o = make_operand(x, count_children(x, me));
    size_t count = x->recv.count;
    struct adi3_type *t = x->recv.type;
    int bit = 1;

    for (; bit < x->size && !(me & bit); bit *= 2) {
        if (me + bit >= x->size)
            continue;
        coll_recv(x, coll_part(operand_spare(&o, false), 0, count, t), (x->rank + bit) % x->size);
        operand_combine(x, &o, false, 0, count);
    }
    if (me > 0)
        coll_send(x, coll_part(o.mine, 0, count, t), (x->rank - bit + x->size) % x->size);
    else if (x->rank != x->root)
        coll_send(x, coll_part(o.mine, 0, count, t), x->root);

    if (x->rank == x->root && me > 0)
        coll_recv(x, x->recv, top);
    else if (x->rank == x->root)
        operand_deliver(x, &o, x->recv.buf, 0, count);
}
