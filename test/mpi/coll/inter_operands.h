/* inter_operands.h — the results of reducing the operands of a group. */
#ifndef INTER_OPERANDS_H
#define INTER_OPERANDS_H

#include "affine.h"
#include "inter.h"

/* The sum of the elements i of all values of a group in a round. */
static inline int inter_sum(const struct inter *in, int side, int i, int round)
{
    int s = 0;

    for (int r = 0; r < inter_size(in, side); r++)
        s += value(inter_who(side, r), i, round);
    return s;
}

/* Checks element i of the result of composing the operands of a group. */
static inline void inter_check_composed(const struct inter *in, struct affine v, int side, int i)
{
    struct affine want = affine_value(inter_who(side, 0), i);

    for (int r = 1; r < inter_size(in, side); r++)
        want = affine_then(want, affine_value(inter_who(side, r), i));
    CHECK_INT(v.a, want.a);
    CHECK_INT(v.b, want.b);
}

#endif /* INTER_OPERANDS_H */
