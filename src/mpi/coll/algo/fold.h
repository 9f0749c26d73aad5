/* fold.h — makes the number of processes a power of two, for algorithms that pair them by bits.
 *
 * Of the first pairs of ranks (0,1), (2,3), ... one hands its work to the other, so that a power of
 * two is left. Those left are numbered in rank order, which keeps the order of operands. */
#ifndef FOLD_H
#define FOLD_H

#include "coll.h"

struct fold {
    int power; /* how many are left */
    int extra; /* pairs of ranks that became one: 0..2 * extra - 1 */
    int keep;  /* this rank is left even though it is the odd one of its pair; else -1 */
    int me;    /* our number, -1: we have handed over */
};

/* The rank whose number is i. */
static inline int fold_rank(const struct fold *f, int i)
{
    if (i >= f->extra)
        return i + f->extra;
    return f->keep == 2 * i + 1 ? f->keep : 2 * i;
}

/* The number of a rank, or of the one it hands over to. */
static inline int fold_number(const struct fold *f, int rank)
{
    return rank < 2 * f->extra ? rank / 2 : rank - f->extra;
}

/* The other rank of our pair; -1 when we are in none. */
static inline int fold_partner(const struct fold *f, int rank)
{
    return rank < 2 * f->extra ? rank ^ 1 : -1;
}

/* keep: a rank that must be left, or 0. */
static inline struct fold fold_make(const struct coll *x, int keep)
{
    int power = coll_power(x->size);
    struct fold f = { .power = power, .extra = x->size - power, .keep = keep };
    int number = fold_number(&f, x->rank);

    f.me = fold_rank(&f, number) == x->rank ? number : -1;
    return f;
}

#endif /* FOLD_H */
