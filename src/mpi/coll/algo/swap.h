/* swap.h — the order of pairs when all processes swap blocks in place.
 *
 * In round i the ranks whose sum is i modulo p are partners. Each rank has one partner, which
 * may be itself, and in p rounds it has had all ranks as partners. */
#ifndef SWAP_H
#define SWAP_H

#include "mpi/coll/coll.h"

static inline int swap_partner(const struct coll *x, int round)
{
    return (round - x->rank + x->size) % x->size;
}

/* Sends our block to the partner and replaces it with the partner's. saved: memory for the
 * block, packed. */
static inline void swap_block(struct coll *x, struct adi3_data d, int partner, void *saved)
{
    struct adi3_data copy = coll_packed(saved, coll_size(d));

    coll_copy(x, d, copy);
    coll_exchange(x, copy, partner, d, partner);
}

#endif /* SWAP_H */
