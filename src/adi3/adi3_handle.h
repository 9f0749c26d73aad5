/* adi3_handle.h — integer handles to objects: pools, O(1), stale handles found out.
 *
 *   31 30 | 29 .. 26 | 25 .. 20   | 19 .. 0
 *   how   | kind     | generation | slot          how: 0 null, 1 builtin, 2 pool
 *
 * Part of ADI3 because requests are also named on the wire. A slot gets a new generation when it is
 * freed, and waits until all other free slots have been used: a handle kept too long finds nothing
 * until its slot has served 64 objects more. Pools grow by blocks that never move, so a pointer
 * stays good for the life of its object. */
#ifndef ADI3_HANDLE_H
#define ADI3_HANDLE_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* MPICH's numbers of the kinds. */
enum adi3_handle_kind {
    ADI3_COMM = 1,
    ADI3_GROUP = 2,
    ADI3_TYPE = 3,
    ADI3_ERRHANDLER = 5,
    ADI3_OP = 6,
    ADI3_INFO = 7,
    ADI3_KEYVAL = 9,
    ADI3_REQUEST = 11,
};

enum { ADI3_HOW_BUILTIN = 1, ADI3_HOW_POOL = 2 };
enum { ADI3_BLOCK = 64, ADI3_SLOTS = 1 << 20, ADI3_GENERATIONS = 64 };

struct adi3_slot {
    unsigned handle; /* of the object here; while it is free one that nobody finds */
    union {
        struct adi3_slot *next; /* free one */
        const char *call;       /* that gave the user the object; see adi3_creator() */
    };
    _Alignas(16) char object[];
};

struct adi3_pool {
    unsigned kind;
    unsigned stride;                /* bytes from slot to slot */
    struct adi3_slot *first, *last; /* free slots, longest free first */
    unsigned nblocks;
    char *block[ADI3_SLOTS / ADI3_BLOCK];
    int (*handles)(const void *object); /* that the user should have freed; NULL: one of each */
    struct adi3_pool *others;           /* that have objects */
};

#define ADI3_POOL_OF(kind_, type, handles_)                                                        \
    {                                                                                              \
        .kind = (kind_), .stride = (sizeof(struct adi3_slot) + sizeof(type) + 15) & ~15u,          \
        .handles = (handles_)                                                                      \
    }
#define ADI3_POOL(kind, type) ADI3_POOL_OF(kind, type, NULL)

extern struct adi3_pool *adi3_pools;      /* all that have had objects */
extern const char *adi3_call;             /* the MPI call this process is in */
bool adi3_pool_grow(struct adi3_pool *p); /* false when memory is out */

/* What turns a living object's handle into that of a free slot, and back: how becomes 0, and the
 * slot another one, so that no number finds it, the null handles included. */
#define ADI3_DEAD ((unsigned) ADI3_HOW_POOL << 30 | (ADI3_SLOTS - 1))

/* When it is known that p->first is there. */
static inline void *adi3_take(struct adi3_pool *p, int *handle)
{
    struct adi3_slot *s = p->first;

    assert(s && s->handle >> 30 != ADI3_HOW_POOL);
    p->first = s->next;
    s->handle ^= ADI3_DEAD;
    *handle = (int) s->handle;
    return s->object;
}

/* The call under way gives the user a handle of the object. */
static inline void adi3_set_creator(void *object)
{
    struct adi3_slot *s =
        (struct adi3_slot *) (void *) ((char *) object - offsetof(struct adi3_slot, object));

    s->call = adi3_call;
}

/* A new object, NULL when memory is out. Its bytes are what the last owner left, zero at first. */
static inline void *adi3_new(struct adi3_pool *p, int *handle)
{
    if (__builtin_expect(!p->first, 0) && !adi3_pool_grow(p))
        return NULL;
    void *object = adi3_take(p, handle);
    adi3_set_creator(object);
    return object;
}

static inline void adi3_append(struct adi3_pool *p, struct adi3_slot *s)
{
    s->next = NULL;
    if (p->first)
        p->last->next = s;
    else
        p->first = s;
    p->last = s;
}

static inline void adi3_free(struct adi3_pool *p, void *object)
{
    struct adi3_slot *s =
        (struct adi3_slot *) (void *) ((char *) object - offsetof(struct adi3_slot, object));
    unsigned others = s->handle & ~((ADI3_GENERATIONS - 1u) * ADI3_SLOTS);
    unsigned generation = (s->handle + ADI3_SLOTS) & (ADI3_GENERATIONS - 1u) * ADI3_SLOTS;

    assert(s->handle >> 30 == ADI3_HOW_POOL);
    s->handle = (others | generation) ^ ADI3_DEAD;
    adi3_append(p, s);
}

/* The living object after this one, in order of slots; NULL to begin and at the end. */
void *adi3_next(const struct adi3_pool *p, const void *object);

/* Which call gave the user the object; NULL: none. */
const char *adi3_creator(const struct adi3_pool *p, const void *object);

/* What a handle names, or NULL when it names no living object of this pool. */
static inline void *adi3_get(const struct adi3_pool *p, int handle)
{
    unsigned h = (unsigned) handle, slot = h % ADI3_SLOTS, b = slot / ADI3_BLOCK;

    if (b >= p->nblocks)
        return NULL;
    struct adi3_slot *s =
        (struct adi3_slot *) (void *) (p->block[b] + slot % ADI3_BLOCK * (size_t) p->stride);
    return s->handle == h ? s->object : NULL;
}

#endif /* ADI3_HANDLE_H */
