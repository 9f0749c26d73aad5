/* fold.h — makes the number of processes a power of two, for algorithms that pair them by bits.
 *
 * With e processes more than a power of two, the first 2 e ranks form the pairs (0,1), (2,3),
 * ... One process of each pair hands its work to the other and waits for the result. The
 * processes that are left are numbered in rank order, which keeps the order of operands. */
#ifndef FOLD_H
#define FOLD_H

#include "mpi/coll/coll.h"

struct fold {
    int power; /* processes that are left */
    int extra; /* pairs; their ranks are 0..2 * extra - 1 */
    int keep;  /* an odd rank that is to be left instead of the even one of its pair; or -1 */
    int me;    /* our number; -1: our work is handed over */
};

/* The rank whose number is i. */
static inline int fold_rank(const struct fold *f, int i)
{
    if (i >= f->extra)
        return i + f->extra;
    return f->keep == 2 * i + 1 ? f->keep : 2 * i;
}

/* The number of a rank, or of the rank that it hands over to. */
static inline int fold_number(const struct fold *f, int rank)
{
    return rank < 2 * f->extra ? rank / 2 : rank - f->extra;
}

/* The other rank of our pair; -1 when we are in no pair. */
static inline int fold_partner(const struct fold *f, int rank)
{
    return rank < 2 * f->extra ? rank ^ 1 : -1;
}

/* keep: a rank that must be left; 0 when it does not matter. */
static inline struct fold fold_make(const struct coll *x, int keep)
{
    int power = coll_power(x->size);
    struct fold f = { .power = power, .extra = x->size - power, .keep = keep };
    int number = fold_number(&f, x->rank);

    f.me = fold_rank(&f, number) == x->rank ? number : -1;
    return f;
}

#endif /* FOLD_H */
