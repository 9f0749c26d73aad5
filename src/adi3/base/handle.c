/* handle.c — the pools behind integer handles: growing, walking and freeing them. */
#include <stdlib.h>
#include "adi3/base/base.h"
#include "platform/os.h"

struct adi3_pool *adi3_pools;

static struct adi3_slot *slot_at(const struct adi3_pool *p, unsigned slot)
{
    return (struct adi3_slot *) (void *) (p->block[slot / ADI3_BLOCK]
                                          + slot % ADI3_BLOCK * (size_t) p->stride);
}

bool adi3_pool_grow(struct adi3_pool *p)
{
    assert(adi3_lock_held());
    if (p->nblocks == ADI3_SLOTS / ADI3_BLOCK
        || !(p->block[p->nblocks] = calloc(ADI3_BLOCK, p->stride)))
        return false;
    if (p->nblocks == 0) {
        p->others = adi3_pools;
        adi3_pools = p;
    }
    unsigned slot = p->nblocks++ * ADI3_BLOCK;
    for (int i = 0; i < ADI3_BLOCK; i++, slot++) {
        struct adi3_slot *s = slot_at(p, slot);
        s->handle = ((unsigned) ADI3_HOW_POOL << ADI3_HOW_SHIFT | p->kind << ADI3_KIND_SHIFT | slot)
                    ^ ADI3_DEAD;
        adi3_append(p, s);
    }
    return true;
}

void adi3_pools_free(void)
{
    assert(adi3_lock_held());
    for (struct adi3_pool *p; (p = adi3_pools);) {
        adi3_pools = p->others;
        while (p->nblocks)
            free(p->block[--p->nblocks]);
        p->first = p->last = NULL;
    }
}

/* An object without a handle of the user's was only taken, by adi3_take(): its slot still holds the
 * link to the next free slot, which points into one of the blocks. */
const char *adi3_creator(const struct adi3_pool *p, const void *object)
{
    const char *call = OS_OWNER(object, const struct adi3_slot, object)->call;

    for (unsigned i = 0; call && i < p->nblocks; i++)
        if (call >= p->block[i] && call < p->block[i] + ADI3_BLOCK * (size_t) p->stride)
            call = NULL;
    return call;
}

void *adi3_next(const struct adi3_pool *p, const void *object)
{
    unsigned i = 0;

    if (object)
        i = OS_OWNER(object, const struct adi3_slot, object)->handle % ADI3_SLOTS + 1;
    for (; i < p->nblocks * ADI3_BLOCK; i++)
        if (slot_at(p, i)->handle >> ADI3_HOW_SHIFT == ADI3_HOW_POOL)
            return slot_at(p, i)->object;
    return NULL;
}
