/* operand.c — combining two operands without copying them. */
#include "mpi/coll/algo/operand.h"

void operand_combine(struct coll *x, struct operand *o, bool theirs_first, size_t first,
                     size_t count)
{
    struct adi3_type *t = x->recv.type;
    void *theirs = operand_recv_buffer(o, theirs_first);

    if (!theirs_first) {
        coll_apply(x, coll_range(o->mine, first, count, t).buf,
                   coll_range(theirs, first, count, t).buf, count);
        o->mine = theirs;
        return;
    }
    if (o->mine != o->a && o->mine != o->b) {
        coll_copy(x, coll_range(o->mine, first, count, t), coll_range(o->a, first, count, t));
        o->mine = o->a;
    }
    coll_apply(x, coll_range(theirs, first, count, t).buf, coll_range(o->mine, first, count, t).buf,
               count);
}

void operand_copy_out(struct coll *x, const struct operand *o, void *buf, size_t first,
                      size_t count)
{
    struct adi3_type *t = x->recv.type;

    coll_copy(x, coll_range(o->mine, first, count, t), coll_range(buf, first, count, t));
}
