/* operand.h — our operand of a reduction, which moves between two buffers.
 *
 * Operands are combined in rank order, also when the operation commutes: both sides of an
 * exchange then compute the same bits, even where x op y and y op x differ (NaN, -0.0). The
 * result of op replaces the later operand. Instead of copying it back, `mine` then points to
 * that buffer. */
#ifndef OPERAND_H
#define OPERAND_H

#include "mpi/coll/coll.h"

struct operand {
    void *mine;  /* where our operand is; at first in the send buffer */
    void *a, *b; /* buffers that may be written; the first result goes to a if possible */
};

/* Where to receive the other side's operand. theirs_first: it comes before ours in rank order. */
static inline void *operand_recv_buffer(const struct operand *o, bool theirs_first)
{
    if (o->mine == o->a)
        return o->b;
    if (o->mine == o->b)
        return o->a;
    return theirs_first ? o->b : o->a; /* ours will be copied to a, to be written */
}

/* Combines count elements, from the first on, with those received in operand_recv_buffer(). */
void operand_combine(struct coll *x, struct operand *o, bool theirs_first, size_t first,
                     size_t count);

/* Copies count elements, from the first on, to the same place in a buffer. */
void operand_copy_out(struct coll *x, const struct operand *o, void *buf, size_t first,
                      size_t count);

#endif /* OPERAND_H */
