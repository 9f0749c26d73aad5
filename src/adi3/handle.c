/* handle.c — the pools behind integer handles. */
#include <assert.h>
#include <stdlib.h>
#include "adi3_impl.h"

static struct adi3_slot *at(const struct adi3_pool *p, unsigned slot)
{
    return (struct adi3_slot *) (void *) (p->block[slot / ADI3_BLOCK]
                                          + slot % ADI3_BLOCK * (size_t) p->stride);
}

static void append(struct adi3_pool *p, struct adi3_slot *s)
{
    unsigned slot = s->handle % ADI3_SLOTS;

    if (p->nfree++)
        at(p, p->last)->next = slot;
    else
        p->first = slot;
    p->last = slot;
}

static bool grow(struct adi3_pool *p)
{
    if (p->nblocks == ADI3_SLOTS / ADI3_BLOCK
        || !(p->block[p->nblocks] = calloc(ADI3_BLOCK, p->stride)))
        return false;
    unsigned slot = p->nblocks++ * ADI3_BLOCK;
    for (int i = 0; i < ADI3_BLOCK; i++, slot++) {
        struct adi3_slot *s = at(p, slot);
        s->handle = p->kind << 26 | slot;
        append(p, s);
    }
    return true;
}

void *adi3_new(struct adi3_pool *p, int *handle)
{
    if (p->nfree == 0 && !grow(p))
        return NULL;
    struct adi3_slot *s = at(p, p->first);
    p->first = s->next;
    p->nfree--;
    s->handle |= (unsigned) ADI3_HOW_POOL << 30;
    *handle = (int) s->handle;
    return s->object;
}

void adi3_free(struct adi3_pool *p, void *object)
{
    struct adi3_slot *s = OS_OWNER(object, struct adi3_slot, object);
    unsigned kind_and_slot = s->handle & (0x3fu << 26 | (ADI3_SLOTS - 1));
    unsigned generation = (s->handle / ADI3_SLOTS + 1) % ADI3_GENERATIONS;

    assert(s->handle >> 30 == ADI3_HOW_POOL);
    s->handle = (kind_and_slot & ~(3u << 30)) | generation * ADI3_SLOTS;
    append(p, s);
}

void *adi3_next(const struct adi3_pool *p, const void *object)
{
    const struct adi3_slot *s = OS_OWNER(object, const struct adi3_slot, object);

    for (unsigned i = object ? s->handle % ADI3_SLOTS + 1 : 0; i < p->nblocks * ADI3_BLOCK; i++)
        if (at(p, i)->handle >> 30 == ADI3_HOW_POOL)
            return at(p, i)->object;
    return NULL;
}
