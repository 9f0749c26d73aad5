/* pack.c — between a layout and packed bytes. */
#include <stdlib.h>
#include <string.h>
#include "datatype.h"

enum direction { PACK, UNPACK };

struct cursor {
    enum direction direction;
    char *packed;
    size_t left; /* packed bytes not used yet */
};

static void move(struct cursor *c, char *user, size_t len)
{
    if (len > c->left)
        len = c->left;
    if (len == 0) /* there may be no memory at all */
        return;
    if (c->direction == PACK)
        memcpy(c->packed, user, len);
    else
        memcpy(user, c->packed, len);
    c->packed += len;
    c->left -= len;
}

/* The innermost level, for blocks of the sizes that elements have: the compiler knows len. */
#define STRIDED(len)                                                                               \
    case len:                                                                                      \
        for (size_t i = 0; i < n; i++, user += stride, packed += len)                              \
            if (c->direction == PACK)                                                              \
                memcpy(packed, user, len);                                                         \
            else                                                                                   \
                memcpy(user, packed, len);                                                         \
        break

static void move_strided(struct cursor *c, char *user, const struct layout_level *level, size_t len)
{
    size_t n = level->count < c->left / len ? level->count : c->left / len;
    MPI_Aint stride = level->stride;
    char *packed = c->packed;

    switch (len) {
        STRIDED(1);
        STRIDED(2);
        STRIDED(4);
        STRIDED(8);
        STRIDED(16);
    default:
        for (size_t i = 0; i < n; i++, user += stride)
            move(c, user, len);
        packed = c->packed;
    }
    c->left -= (size_t) (packed - c->packed);
    c->packed = packed;
    if (n < level->count)
        move(c, user, len);
}

static void walk(struct cursor *c, char *user, const struct adi3_layout *l, int depth)
{
    if (depth == l->depth) {
        for (int i = 0; i < l->nblocks; i++)
            move(c, user + l->block[i].at, l->block[i].len);
    } else if (depth + 1 == l->depth && l->nblocks == 1) {
        move_strided(c, user + l->block[0].at, &l->level[depth], l->block[0].len);
    } else {
        for (size_t i = 0; i < l->level[depth].count && c->left; i++)
            walk(c, user + (MPI_Aint) i * l->level[depth].stride, l, depth + 1);
    }
}

static void transfer(struct cursor c, const struct adi3_data *d)
{
    char *user = d->buf;

    if (d->type->contig) {
        move(&c, user, d->count * d->type->size);
        return;
    }
    for (size_t i = 0; i < d->count && c.left; i++, user += d->type->extent)
        walk(&c, user, d->type->layout, 0);
}

void adi3_pack(const struct adi3_data *d, void *packed, size_t len)
{
    transfer((struct cursor) { PACK, packed, len }, d);
}

void adi3_unpack(const struct adi3_data *d, const void *packed, size_t len)
{
    transfer((struct cursor) { UNPACK, (char *) (uintptr_t) packed, len }, d);
}

int adi3_copy(const struct adi3_data *from, const struct adi3_data *to)
{
    size_t len = from->count * from->type->size, room = to->count * to->type->size;

    len = len < room ? len : room;
    if (from->type->contig) {
        adi3_unpack(to, from->buf, len);
    } else if (to->type->contig) {
        adi3_pack(from, to->buf, len);
    } else {
        char *packed = malloc(len ? len : 1);
        if (!packed)
            return adi3_error(MPI_ERR_NO_MEM, "out of memory for copying %zu bytes", len);
        adi3_pack(from, packed, len);
        adi3_unpack(to, packed, len);
        free(packed);
    }
    return MPI_SUCCESS;
}
