/* serial.c — serializes a committed datatype for another process. */
#include <stdlib.h>
#include "adi3/datatype/serial.h"
#include "platform/golden_ratio.h"

struct writer {
    uint8_t *to;
    size_t room, len;
    const void **slot; /* a hash table of the lists written so far, by address */
    size_t *number;    /* the number of the list in each slot, from 1 */
    size_t slots, lists;
};

static size_t length_of(size_t x) { return (size_t) (70 - __builtin_clzll(x | 1)) / 7; }

static void writer_put(struct writer *w, size_t x)
{
    for (bool more = true; more; x >>= 7, w->len++) {
        more = x > 0x7f;
        if (w->len < w->room)
            w->to[w->len] = (uint8_t) ((x & 0x7f) | (more ? 0x80 : 0));
    }
}

static size_t zigzag_encode(MPI_Aint x) { return (size_t) x << 1 ^ (x < 0 ? SIZE_MAX : 0); }
static void put_signed(struct writer *w, MPI_Aint x) { writer_put(w, zigzag_encode(x)); }

/* The list of a layout. Layouts that differ only in displacement and levels share one. */
static const void *list_of(const struct adi3_layout *l)
{
    switch (l->body) {
    case LAYOUT_BLOCK:
        return NULL;
    case LAYOUT_FIXED:
        return l->place;
    case LAYOUT_VARIED:
        return l->block;
    case LAYOUT_CHILDREN:
        return l->child;
    }
    return NULL;
}

/* The slot of a list, or the free slot for it. */
static size_t slot_of(const struct writer *w, const void *list)
{
    size_t i = ((uintptr_t) list >> 4) * GOLDEN_RATIO_64 >> 32;

    for (i &= w->slots - 1; w->slot[i] && w->slot[i] != list;)
        i = (i + 1) & (w->slots - 1);
    return i;
}

/* Makes room for another list: there are at least twice as many slots as lists. False without
 * memory. */
static bool writer_grow_table(struct writer *w)
{
    struct writer old = *w;

    if (2 * (w->lists + 1) <= w->slots)
        return true;
    w->slots = old.slots ? 2 * old.slots : 16;
    w->slot = calloc(w->slots, sizeof *w->slot);
    w->number = calloc(w->slots, sizeof *w->number);
    for (size_t i = 0; w->slot && w->number && i < old.slots; i++) {
        if (old.slot[i]) {
            size_t k = slot_of(w, old.slot[i]);
            w->slot[k] = old.slot[i];
            w->number[k] = old.number[i];
        }
    }
    free(old.slot);
    free(old.number);
    return w->slot && w->number;
}

/* Whether two layouts are the same but for the displacement. */
static bool is_same_layout(const struct adi3_layout *a, const struct adi3_layout *b)
{
    bool same = a->body == b->body && a->depth == b->depth && list_of(a) == list_of(b)
                && (a->body != LAYOUT_BLOCK || a->len == b->len);

    for (int i = 0; i < a->depth && same; i++)
        same = a->level[i].count == b->level[i].count && a->level[i].stride == b->level[i].stride;
    return same;
}

/* Writes a layout, whose list has been written. */
static void put_layout(struct writer *w, const struct adi3_layout *l,
                       const struct adi3_layout *before)
{
    put_signed(w, aint_wrap_sub(l->at, before ? before->at : 0));
    if (before && l->depth <= AGAIN_LEVELS && is_same_layout(l, before)) {
        writer_put(w, AGAIN);
        return;
    }
    writer_put(w, (size_t) l->depth + 1);
    for (int i = 0; i < l->depth; i++) {
        writer_put(w, l->level[i].count);
        put_signed(w, l->level[i].stride);
    }
    if (l->body == LAYOUT_BLOCK) {
        writer_put(w, 0);
        writer_put(w, l->len);
    } else {
        writer_put(w, w->number[slot_of(w, list_of(l))]);
    }
}

/* A list may have millions of places: most distances are one byte, or only their length is asked
 * for. */
static void put_places(struct writer *w, const MPI_Aint *place, size_t n)
{
    struct writer now = *w;
    MPI_Aint before = 0;

    for (size_t i = 0; i < n; before = place[i++]) {
        size_t x = zigzag_encode(aint_wrap_sub(place[i], before));
        if (!now.room)
            now.len += length_of(x);
        else if (x <= 0x7f && now.len < now.room)
            now.to[now.len++] = (uint8_t) x;
        else
            writer_put(&now, x);
    }
    w->len = now.len;
}

static void put_list(struct writer *w, const struct adi3_layout *l)
{
    MPI_Aint before = 0;

    writer_put(w, l->body);
    writer_put(w, l->n);
    if (l->body == LAYOUT_FIXED) {
        writer_put(w, l->len);
        put_places(w, l->place, l->n);
        return;
    }
    for (size_t i = 0; i < l->n; i++) {
        if (l->body == LAYOUT_CHILDREN) {
            put_layout(w, l->child[i].layout, i ? l->child[i - 1].layout : NULL);
        } else {
            put_signed(w, aint_wrap_sub(l->block[i].at, before));
            writer_put(w, l->block[i].len);
            before = aint_wrap_add(l->block[i].at, (MPI_Aint) l->block[i].len);
        }
    }
}

/* Writes the lists of a layout that have not been written yet. The recursion is at most as deep as
 * a size has bits, since a layout has two children at least. */
static bool put_lists(struct writer *w, const struct adi3_layout *l)
{
    const void *list = list_of(l);

    if (!list)
        return true;
    if (!writer_grow_table(w))
        return false;
    if (w->slot[slot_of(w, list)])
        return true;
    for (size_t i = 0; l->body == LAYOUT_CHILDREN && i < l->n; i++)
        if (!put_lists(w, l->child[i].layout))
            return false;
    if (!writer_grow_table(w))
        return false;
    put_list(w, l);
    size_t slot = slot_of(w, list);
    w->slot[slot] = list;
    w->number[slot] = ++w->lists;
    return true;
}

/* The number of a basic element. The handle of a Fortran kind is known to this process only: it
 * is sent as the first named type of the same representation. */
static size_t number_of(const struct adi3_type *basic)
{
    if (!basic)
        return 0;
    if (adi3_type_builtin(basic->handle))
        return (size_t) (basic->handle & ADI3_BUILTIN_NUMBER);
    unsigned pair = (unsigned) basic->handle - (unsigned) MPI_FLOAT_INT;
    if (pair < PAIRS)
        return FIRST_PAIR + pair;
    for (size_t i = 1; i < FIRST_PAIR; i++)
        if (adi3_builtin[i].class == basic->class && adi3_builtin[i].repr == basic->repr)
            return i;
    return 0;
}

size_t adi3_type_serialize(const struct adi3_type *t, void *to, size_t room)
{
    struct adi3_layout block = { .body = LAYOUT_BLOCK, .bytes = t->size, .n = 1, .len = t->size };
    const struct adi3_layout *l = t->layout ? t->layout : &block;
    struct writer w = { .to = to, .room = to ? room : 0 };
    bool done = true;

    writer_put(&w, FORM);
    put_signed(&w, t->lb);
    put_signed(&w, t->extent);
    writer_put(&w, number_of(t->basic));
    if (t->size == 0) {
        writer_put(&w, NO_DATA);
    } else if ((done = put_lists(&w, l))) {
        writer_put(&w, LAST_LIST);
        put_layout(&w, l, NULL);
    }
    free(w.slot);
    free(w.number);
    return done ? w.len : 0;
}
