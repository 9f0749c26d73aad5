/* operand.h — our operand of a reduction, on its way through two buffers.
 *
 * Operands are combined in rank order, also when the operation commutes: both sides of an exchange
 * then compute the same bits, even where x op y and y op x differ (NaN, -0.0). A result lands where
 * the later operand was, so instead of copying it we take it from there. */
#ifndef OPERAND_H
#define OPERAND_H

#include "coll.h"

struct operand {
    void *mine;  /* where it is: in the send buffer at first */
    void *a, *b; /* buffers we may write; the first result goes to a if it can */
};

/* Where the other side's operand is to be received. theirs_first: it stands before ours. */
static inline void *operand_recv_buffer(const struct operand *o, bool theirs_first)
{
    if (o->mine == o->a)
        return o->b;
    if (o->mine == o->b)
        return o->a;
    return theirs_first ? o->b : o->a; /* ours must be copied to be written: to a */
}

/* Combines count elements, which begin at first, with those received in operand_recv_buffer(). */
void operand_combine(struct coll *x, struct operand *o, bool theirs_first, size_t first,
                     size_t count);

/* Brings count elements from first on to a buffer. */
void operand_copy_out(struct coll *x, const struct operand *o, void *buf, size_t first,
                      size_t count);

#endif /* OPERAND_H */
