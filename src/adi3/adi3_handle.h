/* adi3_handle.h — integer handles to objects: pools with look-up in O(1) that detect stale
 * handles.
 *
 *   31 30 | 29 .. 26 | 25 .. 20   | 19 .. 0
 *   how   | kind     | generation | slot          how: 0 null, 1 builtin, 2 pool
 *
 * Used by all rooms of ADI3 and by src/mpi; requests are also named on the wire by their
 * handles. In MPICH: mpir_handlemem.h, whose layout of the bits this is but for the generation.
 * A freed slot gets a new generation and is reused after all other free slots, first in, first
 * out. A stale handle names no object until its slot has served 64 objects more. Pools grow by
 * blocks that never move, so a pointer is valid for the life of its object. */
#ifndef ADI3_HANDLE_H
#define ADI3_HANDLE_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The numbers that MPICH gives the kinds. */
enum adi3_handle_kind {
    ADI3_COMM = 1,
    ADI3_GROUP = 2,
    ADI3_TYPE = 3,
    ADI3_FILE = 4,
    ADI3_ERRHANDLER = 5,
    ADI3_OP = 6,
    ADI3_INFO = 7,
    ADI3_WIN = 8,
    ADI3_KEYVAL = 9,
    ADI3_REQUEST = 11,
};

enum { ADI3_HOW_BUILTIN = 1, ADI3_HOW_POOL = 2 };
enum { ADI3_HOW_SHIFT = 30, ADI3_KIND_SHIFT = 26 };
enum { ADI3_BUILTIN_NUMBER = 0xff }; /* mask: the number of a predefined object in its handle */
enum { ADI3_BLOCK = 64, ADI3_SLOTS = 1 << 20, ADI3_GENERATIONS = 64 };

struct adi3_slot {
    unsigned handle; /* of the object here; of a free slot one that no look-up finds */
    union {
        struct adi3_slot *next; /* of a free slot: the next free one */
        const char *call;       /* the MPI call that made the object; see adi3_creator() */
    };
    _Alignas(16) char object[];
};

struct adi3_pool {
    unsigned kind;
    unsigned stride;                /* bytes from slot to slot */
    struct adi3_slot *first, *last; /* free slots, the longest free first */
    unsigned nblocks;
    char *block[ADI3_SLOTS / ADI3_BLOCK];
    int (*handles)(const void *object); /* how many the user has to free; NULL: one an object */
    struct adi3_pool *others;           /* the next pool of adi3_pools */
};

#define ADI3_POOL_OF(kind_, type, handles_)                                                        \
    {                                                                                              \
        .kind = (kind_), .stride = (sizeof(struct adi3_slot) + sizeof(type) + 15) & ~15u,          \
        .handles = (handles_)                                                                      \
    }
#define ADI3_POOL(kind, type) ADI3_POOL_OF(kind, type, NULL)

/* The handle of a predefined object. */
static inline int adi3_builtin_handle(enum adi3_handle_kind kind, int number)
{
    return ADI3_HOW_BUILTIN << ADI3_HOW_SHIFT | (int) kind << ADI3_KIND_SHIFT | number;
}

/* What the program does now. It has a page of its own, which mpiexec can read when the process has
 * been killed: job/calls.c. */
#ifdef __x86_64__
#define ADI3_PAGE 4096
#else
#define ADI3_PAGE 65536 /* the largest */
#endif
struct adi3_current {
    _Alignas(ADI3_PAGE) const char *call; /* the name of the MPI call under way, or the last one */
    _Atomic unsigned char inside;         /* ADI3_INSIDE and ADI3_MOVED, unless: */
    bool threads;                         /* several threads may call at once */
};
extern struct adi3_current adi3_current;

extern struct adi3_pool *adi3_pools;      /* all pools that have had objects */
bool adi3_pool_grow(struct adi3_pool *p); /* false when memory is out */

/* The mask that turns the handle of a live object into that of a free slot, and back. It makes
 * `how` 0 and changes the slot number, so that no handle finds a free slot, the null handles
 * included. */
#define ADI3_DEAD ((unsigned) ADI3_HOW_POOL << ADI3_HOW_SHIFT | (ADI3_SLOTS - 1))

/* As adi3_new(), where p->first is known to be there; records no creator. */
static inline void *adi3_take(struct adi3_pool *p, int *handle)
{
    struct adi3_slot *s = p->first;

    assert(s && s->handle >> ADI3_HOW_SHIFT != ADI3_HOW_POOL);
    p->first = s->next;
    s->handle ^= ADI3_DEAD;
    *handle = (int) s->handle;
    return s->object;
}

/* Records that the MPI call under way gives the user a handle of the object. */
static inline void adi3_set_creator(void *object)
{
    struct adi3_slot *s =
        (struct adi3_slot *) (void *) ((char *) object - offsetof(struct adi3_slot, object));

    s->call = adi3_current.call;
}

/* Records that the user gets no handle of an object that a call has made for itself. */
static inline void adi3_no_creator(void *object)
{
    struct adi3_slot *s =
        (struct adi3_slot *) (void *) ((char *) object - offsetof(struct adi3_slot, object));

    s->call = NULL;
}

/* Makes an object; NULL without memory. Its bytes are what the last object in this slot left, and
 * zero in a slot's first object. */
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

    assert(s->handle >> ADI3_HOW_SHIFT == ADI3_HOW_POOL);
    s->handle = (others | generation) ^ ADI3_DEAD;
    adi3_append(p, s);
}

/* Returns the live object after this one, in order of slots: the first after NULL; NULL at the
 * end. */
void *adi3_next(const struct adi3_pool *p, const void *object);

/* Returns the MPI call that gave the user a handle of the object; NULL: none did. */
const char *adi3_creator(const struct adi3_pool *p, const void *object);

/* Returns the object that a handle names; NULL when it names no live object of this pool. */
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
