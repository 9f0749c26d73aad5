/* reduce_linear.c — all processes send to one, which combines the operands in rank order.
 *
 * That one is the root when the operation commutes; else rank 0, which sends the result to the
 * root. Cost: a + (p - 1) n (b + g). For small data where processes share cores: see
 * barrier_linear.c. */
#include "mpi/coll/algo/algo.h"
#include "mpi/coll/algo/operand.h"

void reduce_linear(struct coll *x)
{
    int top = x->op->commutes ? x->root : 0;
    size_t count = x->recv.count;
    struct adi3_type *t = x->recv.type;

    if (x->rank != top) {
        coll_send(x, x->send, top);
        if (x->rank == x->root)
            coll_recv(x, x->recv, top);
        return;
    }
    struct operand o = { .mine = x->send.buf, .a = x->recv.buf };
    if (!o.a)
        o.a = coll_elements(x, count, t);
    o.b = coll_elements(x, count, t);
    for (int i = 1; i < x->size; i++) {
        coll_recv(x, coll_range(operand_recv_buffer(&o, false), 0, count, t), (top + i) % x->size);
        operand_combine(x, &o, false, 0, count);
    }
    if (top == x->root)
        operand_copy_out(x, &o, x->recv.buf, 0, count);
    else
        coll_send(x, coll_range(o.mine, 0, count, t), x->root);
}
