/* reduce_binomial.c — each process combines the results of its children with its own operand,
 * and sends the result to its parent.
 *
 * A subtree is a run of consecutive ranks, so operands are combined in rank order. The run
 * begins with the root when the operation commutes; else with rank 0, which then sends the
 * result to the root. Cost: ceil(log2 p) (a + n b + n g). A k-nomial tree has k - 1 children at
 * each level: ceil(logk p) (a + (k - 1) n (b + g)), for small data. */
#include "mpi/coll/algo/algo.h"
#include "mpi/coll/algo/operand.h"

enum { RADIX = 4 };

struct tree {
    int me;    /* our rank relative to the top of the tree */
    int radix; /* there are radix - 1 children at each level */
    int top;   /* the rank of the process at the top */
};

/* The number of our children. */
static int count_children(const struct coll *x, const struct tree *t)
{
    int n = 0;

    for (int unit = 1; unit < x->size && t->me / unit % t->radix == 0; unit *= t->radix)
        for (int i = 1; i < t->radix && t->me + i * unit < x->size; i++)
            n++;
    return n;
}

/* Buffers for the results of n children, chosen so that the last result is in recvbuf. */
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

/* Combines the results of all children; returns how many ranks before ours our parent is. */
static int combine_children(struct coll *x, const struct tree *t, struct operand *o)
{
    struct adi3_data in = x->recv;
    int unit = 1;

    for (; unit < x->size && t->me / unit % t->radix == 0; unit *= t->radix)
        for (int i = 1; i < t->radix && t->me + i * unit < x->size; i++) {
            in.buf = operand_recv_buffer(o, false);
            coll_recv(x, in, (x->rank + i * unit) % x->size);
            operand_combine(x, o, false, 0, in.count);
        }
    return t->me / unit % t->radix * unit;
}

static void tree_reduce(struct coll *x, int radix)
{
    struct tree t = { .radix = radix, .top = x->op->commutes ? x->root : 0 };
    t.me = (x->rank - t.top + x->size) % x->size;
    struct operand o = make_operand(x, count_children(x, &t));
    int above = combine_children(x, &t, &o);
    struct adi3_data mine = coll_range(o.mine, 0, x->recv.count, x->recv.type);

    if (t.me > 0)
        coll_send(x, mine, (x->rank - above + x->size) % x->size);
    else if (x->rank != x->root)
        coll_send(x, mine, x->root);

    if (x->rank == x->root && t.me > 0)
        coll_recv(x, x->recv, t.top);
    else if (x->rank == x->root)
        operand_copy_out(x, &o, x->recv.buf, 0, x->recv.count);
}

void reduce_binomial(struct coll *x) { tree_reduce(x, 2); }
void reduce_knomial(struct coll *x) { tree_reduce(x, RADIX); }
