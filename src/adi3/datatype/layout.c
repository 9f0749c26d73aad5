/* layout.c — builds the layout of a datatype: strides around a block, a list of blocks, or other
 * layouts, its children.
 *
 * Blocks that touch are merged; blocks at equal distances become a level; children with few blocks
 * each are flattened into one list. A layout shares lists with the types that the type is made of,
 * to which the type has references. */
#include <stdlib.h>
#include <string.h>
#include "adi3/datatype/datatype_impl.h"

struct layout_chunk { /* memory of a layout */
    struct layout_chunk *next;
    _Alignas(16) char bytes[];
};

/* Type blocks are flattened into one list of at most FLAT + FLAT_PER_TYPE_BLOCK * n blocks, n: the
 * number of type blocks. */
enum { FLAT = 64, FLAT_PER_TYPE_BLOCK = 4 };

void layout_free_chunks(struct layout_chunk *c)
{
    while (c) {
        struct layout_chunk *next = c->next;
        free(c);
        c = next;
    }
}

void layout_free(struct adi3_layout *l)
{
    if (l)
        layout_free_chunks(l->chunks);
}

void *layout_take(struct layout_chunk **chunks, size_t n, size_t size)
{
    size_t len;
    struct layout_chunk *c = NULL;

    if (!__builtin_mul_overflow(n, size, &len) && len < PTRDIFF_MAX)
        c = malloc(sizeof *c + len);
    if (!c)
        return NULL;
    c->next = *chunks;
    *chunks = c;
    return c->bytes;
}

struct adi3_layout *layout_new(struct layout_chunk **chunks, int depth)
{
    struct adi3_layout *l =
        layout_take(chunks, 1, sizeof *l + (size_t) depth * sizeof(struct layout_level));

    if (l)
        *l = (struct adi3_layout) { .depth = 0 };
    return l;
}

size_t layout_bytes(const struct adi3_layout *l)
{
    return l->depth ? l->level[0].count * l->level[0].bytes : l->bytes;
}

/* ---- levels ---------------------------------------------------------------------------------- */

/* Repeats what is there count times: adds an outermost level, or merges it with the one below. */
static void add_level(struct adi3_layout *l, size_t count, MPI_Aint stride)
{
    size_t bytes = layout_bytes(l);

    if (count == 1)
        return;
    if (l->depth == 0 && l->body == LAYOUT_BLOCK && stride == (MPI_Aint) l->len) {
        l->len = l->bytes = count * bytes;
        return;
    }
    if (l->depth && stride == (MPI_Aint) l->level[0].count * l->level[0].stride) {
        l->level[0].count *= count;
        return;
    }
    memmove(&l->level[1], &l->level[0], (size_t) l->depth * sizeof l->level[0]);
    l->level[0] = (struct layout_level) { count, stride, bytes };
    l->depth++;
}

/* The layout of count elements of t, with room for another level; NULL without memory. */
static struct adi3_layout *repeated_layout(struct layout_chunk **chunks, const struct adi3_type *t,
                                           size_t count)
{
    const struct adi3_layout *old = t->layout;
    struct adi3_layout *l = layout_new(chunks, (old ? old->depth : 0) + 2);

    if (!l)
        return NULL;
    if (old) {
        *l = *old;
        memcpy(l->level, old->level, (size_t) old->depth * sizeof l->level[0]);
        l->chunks = NULL;
    } else {
        l->body = LAYOUT_BLOCK;
        l->len = l->bytes = t->size;
        l->n = 1;
    }
    add_level(l, count, t->extent);
    return l;
}

/* ---- lists of blocks ------------------------------------------------------------------------- */

struct list {
    struct layout_block *block;
    size_t n;
};

/* Appends a block, or merges it with the last one if they touch. */
static void blocks_append(struct list *list, MPI_Aint at, size_t len)
{
    struct layout_block *last = list->n ? &list->block[list->n - 1] : NULL;

    if (last && last->at + (MPI_Aint) last->len == at)
        last->len += len;
    else
        list->block[list->n++] = (struct layout_block) { at, len };
}

/* Appends all blocks of a layout from this level on. */
static void layout_flatten(struct list *list, const struct adi3_layout *l, int depth, MPI_Aint at)
{
    if (depth < l->depth) {
        const struct layout_level *v = &l->level[depth];
        for (size_t i = 0; i < v->count; i++)
            layout_flatten(list, l, depth + 1, at + (MPI_Aint) i * v->stride);
        return;
    }
    at += l->at;
    switch (l->body) {
    case LAYOUT_BLOCK:
        blocks_append(list, at, l->len);
        break;
    case LAYOUT_FIXED:
        for (size_t i = 0; i < l->n; i++)
            blocks_append(list, at + l->place[i], l->len);
        break;
    case LAYOUT_VARIED:
        for (size_t i = 0; i < l->n; i++)
            blocks_append(list, at + l->block[i].at, l->block[i].len);
        break;
    case LAYOUT_CHILDREN:
        for (size_t i = 0; i < l->n; i++)
            layout_flatten(list, l->child[i].layout, 0, at);
        break;
    }
}

/* How many blocks layout_flatten() would append, SIZE_MAX / 4 at most. */
static size_t blocks_in(const struct adi3_layout *l)
{
    size_t n = l->body == LAYOUT_CHILDREN ? l->blocks : l->n;

    for (int i = 0; i < l->depth; i++)
        if (__builtin_mul_overflow(n, l->level[i].count, &n))
            n = SIZE_MAX / 4;
    return n < SIZE_MAX / 4 ? n : SIZE_MAX / 4;
}

size_t adi3_type_ranges(const struct adi3_type *t)
{
    return t->contig || !t->layout ? 1 : blocks_in(t->layout);
}

static bool has_equal_lengths(const struct list *list)
{
    for (size_t i = 1; i < list->n; i++)
        if (list->block[i].len != list->block[0].len)
            return false;
    return true;
}

static bool has_equal_distances(const struct list *list, MPI_Aint *distance)
{
    *distance = list->n > 1 ? list->block[1].at - list->block[0].at : 0;
    for (size_t i = 2; i < list->n; i++)
        if (list->block[i].at - list->block[i - 1].at != *distance)
            return false;
    return true;
}

static struct adi3_layout *fixed_layout(struct layout_chunk **chunks, const struct list *list)
{
    struct adi3_layout *l = layout_new(chunks, 1);
    MPI_Aint distance, *place;

    if (!l)
        return NULL;
    l->len = list->block[0].len;
    if (has_equal_distances(list, &distance)) {
        l->body = LAYOUT_BLOCK;
        l->at = list->block[0].at;
        l->bytes = l->len;
        l->n = 1;
        add_level(l, list->n, distance);
        return l;
    }
    if (!(l->place = place = layout_take(chunks, list->n, sizeof *place)))
        return NULL;
    l->body = LAYOUT_FIXED;
    l->n = list->n;
    l->bytes = l->n * l->len;
    for (size_t i = 0; i < list->n; i++)
        place[i] = list->block[i].at;
    return l;
}

static struct adi3_layout *varied_layout(struct layout_chunk **chunks, const struct list *list)
{
    struct adi3_layout *l = layout_new(chunks, 0);
    struct layout_block *block = layout_take(chunks, list->n, sizeof *block);
    size_t *starts = layout_take(chunks, (list->n + LAYOUT_RUN - 1) / LAYOUT_RUN, sizeof *starts);

    if (!l || !block || !starts)
        return NULL;
    l->body = LAYOUT_VARIED;
    l->n = list->n;
    l->block = block;
    l->starts = starts;
    memcpy(block, list->block, list->n * sizeof *block);
    for (size_t i = 0; i < list->n; i++) {
        if (i % LAYOUT_RUN == 0)
            starts[i / LAYOUT_RUN] = l->bytes;
        l->bytes += block[i].len;
    }
    return l;
}

/* ---- types with lists ------------------------------------------------------------------------ */

/* How many blocks a type block has at most. */
static size_t blocks_of(struct type_block p)
{
    const struct adi3_layout *l = p.type->contig ? NULL : p.type->layout;
    size_t n = 1;

    if (p.count == 0 || p.type->size == 0)
        return 0;
    if (l && __builtin_mul_overflow(blocks_in(l), p.count, &n))
        n = SIZE_MAX / 4;
    return n;
}

static void flatten_type_block(struct list *list, struct type_block p)
{
    if (p.type->contig)
        blocks_append(list, p.at, p.count * p.type->size);
    else
        for (size_t i = 0; i < p.count; i++)
            layout_flatten(list, p.type->layout, 0, p.at + (MPI_Aint) i * p.type->extent);
}

static struct adi3_layout *flat_layout(struct layout_chunk **chunks, const struct adi3_type *t,
                                       size_t blocks)
{
    struct list list = { malloc(blocks * sizeof *list.block), 0 };
    struct adi3_layout *l;
    size_t type_blocks = type_block_count(t);

    if (!list.block)
        return NULL;
    for (size_t i = 0; i < type_blocks; i++) {
        struct type_block p = type_block_at(t, i);
        if (blocks_of(p))
            flatten_type_block(&list, p);
    }
    l = has_equal_lengths(&list) ? fixed_layout(chunks, &list) : varied_layout(chunks, &list);
    free(list.block);
    return l;
}

/* A layout whose children are those of the n type blocks with data. One type block needs no
 * list. */
static struct adi3_layout *children_layout(struct layout_chunk **chunks, const struct adi3_type *t,
                                           size_t n, size_t blocks)
{
    struct adi3_layout *l = layout_new(chunks, 0), *one = NULL;
    struct layout_child *child = layout_take(chunks, n, sizeof *child);
    size_t type_blocks = type_block_count(t);

    if (!l || !child)
        return NULL;
    l->body = LAYOUT_CHILDREN;
    l->blocks = blocks;
    l->child = child;
    for (size_t i = 0; i < type_blocks; i++) {
        struct type_block p = type_block_at(t, i);
        if (!blocks_of(p))
            continue;
        if (!(one = repeated_layout(chunks, p.type, p.count)))
            return NULL;
        one->at += p.at;
        child[l->n++] = (struct layout_child) { l->bytes, one };
        l->bytes += layout_bytes(one);
    }
    return n == 1 ? one : l;
}

static struct adi3_layout *type_blocks_layout(struct layout_chunk **chunks,
                                              const struct adi3_type *t)
{
    size_t type_blocks = type_block_count(t), n = 0, blocks = 0;

    for (size_t i = 0; i < type_blocks; i++) {
        size_t more = blocks_of(type_block_at(t, i));
        n += more > 0;
        blocks = blocks + more < SIZE_MAX / 4 ? blocks + more : SIZE_MAX / 4;
    }
    if (n > 1 && blocks <= FLAT + FLAT_PER_TYPE_BLOCK * n)
        return flat_layout(chunks, t, blocks);
    return children_layout(chunks, t, n, blocks);
}

/* ---- all types ------------------------------------------------------------------------------- */

static int build_type_blocks(const struct adi3_type *t)
{
    int err = t->inner ? layout_build(t->inner) : MPI_SUCCESS;

    for (MPI_Count i = 0; i < t->contents->ntypes && !t->inner && !err; i++)
        err = layout_build(t->contents->types[i]);
    return err;
}

int layout_build(struct adi3_type *t)
{
    struct layout_chunk *chunks = NULL;
    struct adi3_layout *l;
    struct strided s;

    if (t->predefined || t->layout)
        return MPI_SUCCESS;
    if (t->size == 0) {
        t->contig = true;
        return MPI_SUCCESS;
    }
    int err = build_type_blocks(t);
    if (err)
        return err;
    if (t->inner)
        l = repeated_layout(&chunks, t->inner, 1);
    else if (!strided_of(t, &s))
        l = type_blocks_layout(&chunks, t);
    else if ((l = repeated_layout(&chunks, t->contents->types[0], s.blocklen)))
        add_level(l, s.count, s.stride);
    if (!l) {
        layout_free_chunks(chunks);
        return adi3_no_memory("for a datatype");
    }
    l->chunks = chunks;
    t->layout = l;
    t->contig =
        l->body == LAYOUT_BLOCK && l->depth == 0 && l->at == 0 && t->extent == (MPI_Aint) l->len;
    return MPI_SUCCESS;
}
