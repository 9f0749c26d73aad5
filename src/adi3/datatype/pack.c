/* pack.c — packs and unpacks memory with a layout, and finds its ranges, from any packed byte
 * on. */
#include <string.h>
#include "adi3/datatype/datatype_impl.h"

enum action { PACK, UNPACK, RANGES };

struct cursor {
    enum action action;
    char *packed;      /* PACK, UNPACK: the next packed byte */
    struct iovec *iov; /* RANGES: the ranges, ... */
    int niov, room;    /* ... how many there are, and may be */
    size_t skip;       /* packed bytes to skip first */
    size_t left;       /* bytes wanted after those */
};

/* Instances of a short list of blocks are copied together, block by block: as many as have
 * TOGETHER_BYTES, which fit the first-level cache. */
enum { TOGETHER_BYTES = 8192, TOGETHER_LEAST = 4, TOGETHER_BLOCKS = 16 };

static void add_range(struct cursor *c, char *user, size_t len)
{
    struct iovec *last = c->niov ? &c->iov[c->niov - 1] : NULL;

    if (last && (char *) last->iov_base + last->iov_len == user) {
        last->iov_len += len;
    } else if (c->niov == c->room) {
        c->left = 0;
        return;
    } else {
        c->iov[c->niov++] = (struct iovec) { user, len };
    }
    c->left -= len;
}

/* Does the action on one block, or on the part of it that is wanted. */
static inline void block_run_action(struct cursor *c, char *user, size_t len)
{
    if (__builtin_expect(c->skip != 0, 0)) {
        size_t skip = c->skip < len ? c->skip : len;
        c->skip -= skip;
        user += skip;
        len -= skip;
    }
    if (len > c->left)
        len = c->left;
    if (len == 0) /* there may be no memory at all */
        return;
    if (c->action == RANGES) {
        add_range(c, user, len);
        return;
    }
    if (c->action == PACK)
        memcpy(c->packed, user, len);
    else
        memcpy(user, c->packed, len);
    c->packed += len;
    c->left -= len;
}

/* The copies of n blocks that are apart[0] bytes apart in the user's memory and apart[1] in packed
 * memory, where the first one begins at offset. */
static struct copies copies_make(const struct cursor *c, size_t offset, char *user,
                                 const MPI_Aint apart[2], size_t n)
{
    char *packed = c->packed + offset;

    if (c->action == PACK)
        return (struct copies) { packed, apart[1], user, apart[0], n };
    return (struct copies) { user, apart[0], packed, apart[1], n };
}

static void layout_walk(struct cursor *c, char *user, const struct adi3_layout *l, int depth);

/* ---- bodies ---------------------------------------------------------------------------------- */

/* Copies the whole rounds that are wanted of a level around one block; returns how many. */
static size_t copy_level_of_block(struct cursor *c, char *user, const struct adi3_layout *l,
                                  const struct layout_level *v, size_t rounds)
{
    size_t n = rounds < c->left / l->len ? rounds : c->left / l->len;

    copy_strided(copies_make(c, 0, user + l->at, (MPI_Aint[]) { v->stride, (MPI_Aint) l->len }, n),
                 l->len);
    c->packed += n * l->len;
    c->left -= n * l->len;
    return n;
}

static struct layout_block block_of(const struct adi3_layout *l, size_t i)
{
    return l->body == LAYOUT_FIXED ? (struct layout_block) { l->place[i], l->len } : l->block[i];
}

/* Copies n instances of a list of blocks: the first two blocks of all, the next two, and so on. */
static void block_by_block(const struct cursor *c, char *user, const struct adi3_layout *l,
                           MPI_Aint stride, size_t n)
{
    size_t offset = 0;

    for (size_t i = 0; i < l->n; i++) {
        struct layout_block b = block_of(l, i);
        struct copies all =
            copies_make(c, offset, user + b.at, (MPI_Aint[]) { stride, (MPI_Aint) l->bytes }, n);
        offset += b.len;
        if (i + 1 < l->n) {
            struct layout_block next = block_of(l, i + 1);
            MPI_Aint there = next.at - b.at, packed = (MPI_Aint) b.len;
            struct second s = { c->action == PACK ? packed : there,
                                c->action == PACK ? there : packed, next.len };
            if (copy_both(all, b.len, s)) {
                offset += next.len;
                i++;
                continue;
            }
        }
        copy_strided(all, b.len);
    }
}

/* The same of a level around a short list of blocks; 0 when that does not pay. */
static size_t copy_level_of_list(struct cursor *c, char *user, const struct adi3_layout *l,
                                 const struct layout_level *v, size_t rounds)
{
    size_t n = rounds < c->left / l->bytes ? rounds : c->left / l->bytes, done = 0;
    size_t most = TOGETHER_BYTES / l->bytes / 4 * 4;

    if (n < TOGETHER_LEAST || most < TOGETHER_LEAST)
        return 0;
    for (size_t some; done < n; done += some) {
        some = n - done < most ? n - done : most;
        block_by_block(c, user + l->at + (MPI_Aint) done * v->stride, l, v->stride, some);
        c->packed += some * l->bytes;
    }
    c->left -= n * l->bytes;
    return n;
}

#define FIXED(length)                                                                              \
    case length:                                                                                   \
        for (size_t i = 0; i < n; i++, packed += (length))                                         \
            if (pack)                                                                              \
                memcpy(packed, user + place[i], length);                                           \
            else                                                                                   \
                memcpy(user + place[i], packed, length);                                           \
        return true

static bool fixed_kernel(bool pack, char *packed, char *user, const MPI_Aint *place, size_t n,
                         size_t len)
{
    switch (len) {
        FIXED(1);
        FIXED(2);
        FIXED(4);
        FIXED(8);
        FIXED(12);
        FIXED(16);
        FIXED(24);
        FIXED(32);
    }
    return false;
}

static void walk_fixed(struct cursor *c, char *user, const struct adi3_layout *l)
{
    size_t i = c->skip / l->len;

    c->skip -= i * l->len;
    if (c->skip)
        block_run_action(c, user + l->place[i++], l->len);
    size_t n = l->n - i < c->left / l->len ? l->n - i : c->left / l->len;
    if (c->action != RANGES
        && fixed_kernel(c->action == PACK, c->packed, user, l->place + i, n, l->len)) {
        c->packed += n * l->len;
        c->left -= n * l->len;
        i += n;
    }
    for (; i < l->n && c->left; i++)
        block_run_action(c, user + l->place[i], l->len);
}

/* Copies the blocks from i on that are wanted whole, in a plain loop; returns the next block. */
static size_t whole_blocks(struct cursor *c, char *user, const struct adi3_layout *l, size_t i)
{
    char *packed = c->packed;
    size_t left = c->left;

    if (c->action == PACK)
        for (; i < l->n && l->block[i].len <= left; packed += l->block[i++].len) {
            left -= l->block[i].len;
            memcpy(packed, user + l->block[i].at, l->block[i].len);
        }
    else if (c->action == UNPACK)
        for (; i < l->n && l->block[i].len <= left; packed += l->block[i++].len) {
            left -= l->block[i].len;
            memcpy(user + l->block[i].at, packed, l->block[i].len);
        }
    c->packed = packed;
    c->left = left;
    return i;
}

static void walk_varied(struct cursor *c, char *user, const struct adi3_layout *l)
{
    size_t i = 0, high = (l->n - 1) / LAYOUT_RUN;

    while (c->skip && i < high) { /* the last run that begins at skip or before */
        size_t middle = i + (high - i + 1) / 2;
        if (l->starts[middle] <= c->skip)
            i = middle;
        else
            high = middle - 1;
    }
    if (c->skip)
        c->skip -= l->starts[i];
    for (i *= LAYOUT_RUN; i < l->n && c->left; i++) {
        if (!c->skip && (i = whole_blocks(c, user, l, i)) == l->n)
            return;
        block_run_action(c, user + l->block[i].at, l->block[i].len);
    }
}

static void walk_children(struct cursor *c, char *user, const struct adi3_layout *l)
{
    size_t i = 0, high = l->n - 1;

    while (c->skip && i < high) {
        size_t middle = i + (high - i + 1) / 2;
        if (l->child[middle].start <= c->skip)
            i = middle;
        else
            high = middle - 1;
    }
    if (c->skip)
        c->skip -= l->child[i].start;
    for (; i < l->n && c->left; i++)
        layout_walk(c, user, l->child[i].layout, 0);
}

static void walk_body(struct cursor *c, char *user, const struct adi3_layout *l)
{
    user += l->at;
    switch (l->body) {
    case LAYOUT_BLOCK:
        block_run_action(c, user, l->len);
        break;
    case LAYOUT_FIXED:
        walk_fixed(c, user, l);
        break;
    case LAYOUT_VARIED:
        walk_varied(c, user, l);
        break;
    case LAYOUT_CHILDREN:
        walk_children(c, user, l);
        break;
    }
}

/* ---- levels ---------------------------------------------------------------------------------- */

/* Walks a level, inside of which are the levels from depth on. Computes no address without data: a
 * stride may be as large as the address space. */
static void walk_level(struct cursor *c, char *user, const struct adi3_layout *l, int depth,
                       const struct layout_level *v)
{
    size_t i = c->skip / v->bytes;
    bool last = depth == l->depth && c->action != RANGES;

    c->skip -= i * v->bytes;
    if (c->skip)
        layout_walk(c, user + (MPI_Aint) i++ * v->stride, l, depth);
    if (i == v->count)
        return;
    char *from = user + (MPI_Aint) i * v->stride;
    if (last && l->body == LAYOUT_BLOCK)
        i += copy_level_of_block(c, from, l, v, v->count - i);
    else if (last && l->body != LAYOUT_CHILDREN && l->n <= TOGETHER_BLOCKS)
        i += copy_level_of_list(c, from, l, v, v->count - i);
    for (; i < v->count && c->left; i++)
        layout_walk(c, user + (MPI_Aint) i * v->stride, l, depth);
}

static void layout_walk(struct cursor *c, char *user, const struct adi3_layout *l, int depth)
{
    if (depth < l->depth)
        walk_level(c, user, l, depth + 1, &l->level[depth]);
    else
        walk_body(c, user, l);
}

static void data_transfer(struct cursor *c, const struct adi3_data *d)
{
    const struct adi3_type *t = d->type;
    size_t all = d->count * t->size;

    assert(t->contig || t->layout); /* it is committed */
    if (c->skip >= all)
        return;
    if (c->left > all - c->skip)
        c->left = all - c->skip;
    if (t->contig)
        block_run_action(c, d->buf, all);
    else
        walk_level(c, d->buf, t->layout, 0,
                   &(struct layout_level) { d->count, t->extent, t->size });
}

void adi3_pack(const struct adi3_data *d, size_t at, void *packed, size_t len)
{
    data_transfer(&(struct cursor) { .action = PACK, .packed = packed, .skip = at, .left = len },
                  d);
}

void adi3_unpack(const struct adi3_data *d, size_t at, const void *packed, size_t len)
{
    data_transfer(
        &(struct cursor) {
            .action = UNPACK, .packed = (char *) (uintptr_t) packed, .skip = at, .left = len },
        d);
}

int adi3_ranges(const struct adi3_data *d, size_t *at, struct iovec *iov, int n)
{
    struct cursor c = { .action = RANGES, .iov = iov, .room = n, .skip = *at, .left = SIZE_MAX };

    data_transfer(&c, d);
    for (int i = 0; i < c.niov; i++)
        *at += iov[i].iov_len;
    return c.niov;
}

char *adi3_one_range(const struct adi3_data *d)
{
    const struct adi3_layout *l = d->type->layout;

    if (d->type->contig)
        return d->buf;
    if (l->body != LAYOUT_BLOCK || l->depth
        || (d->count > 1 && d->type->extent != (MPI_Aint) l->len))
        return NULL;
    return (char *) d->buf + l->at;
}

void adi3_copy(const struct adi3_data *from, const struct adi3_data *to)
{
    size_t len = from->count * from->type->size, room = to->count * to->type->size;
    char chunk[TOGETHER_BYTES];

    len = len < room ? len : room;
    if (from->type->contig) {
        adi3_unpack(to, 0, from->buf, len);
    } else if (to->type->contig) {
        adi3_pack(from, 0, to->buf, len);
    } else {
        for (size_t at = 0, some; at < len; at += some) {
            some = len - at < sizeof chunk ? len - at : sizeof chunk;
            adi3_pack(from, at, chunk, some);
            adi3_unpack(to, at, chunk, some);
        }
    }
}
