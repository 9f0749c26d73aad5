/* loops.c — the loops of a user that packs without derived types.
 *
 * Each loop is here once, and compiled for both directions: the direction is a constant in the
 * functions that the tables name, and copies of a constant length are single instructions. They are
 * called from another file through a table, so that the compiler cannot move work out of the
 * measurement. */
#include <string.h>
#include "layouts.h"

enum way { GATHER, SCATTER };

#define ALWAYS static inline __attribute__((always_inline))

ALWAYS void copy(void *memory, void *packed, size_t len, enum way way)
{
    if (way == GATHER)
        memcpy(packed, memory, len);
    else
        memcpy(memory, packed, len);
}

/* ---- matrices -------------------------------------------------------------------------------- */

/* Doubles a[i * step_i + j * step_j]. */
struct nest {
    size_t rows, step_i, cols, step_j;
};

ALWAYS void nest(struct nest n, double *a, double *packed, enum way way)
{
    for (size_t i = 0; i < n.rows; i++)
        for (size_t j = 0; j < n.cols; j++)
            copy(&a[i * n.step_i + j * n.step_j], packed++, sizeof *a, way);
}

ALWAYS void column(const struct layout *l, char *memory, char *packed, enum way way)
{
    nest((struct nest) { l->cols, 1, l->rows, l->width }, (double *) memory, (double *) packed,
         way);
}

ALWAYS void vector(const struct layout *l, char *memory, char *packed, enum way way)
{
    nest((struct nest) { l->rows, 16, 4, 1 }, (double *) memory, (double *) packed, way);
}

/* The arrays are [LAYOUT_FACES][rows][cols], [rows][LAYOUT_FACES][cols] and
 * [rows][cols][LAYOUT_FACES]; the second face is taken. */
ALWAYS void face_i(const struct layout *l, char *memory, char *packed, enum way way)
{
    nest((struct nest) { l->rows, l->cols, l->cols, 1 }, (double *) memory + l->rows * l->cols,
         (double *) packed, way);
}

ALWAYS void face_j(const struct layout *l, char *memory, char *packed, enum way way)
{
    nest((struct nest) { l->rows, LAYOUT_FACES * l->cols, l->cols, 1 }, (double *) memory + l->cols,
         (double *) packed, way);
}

ALWAYS void face_k(const struct layout *l, char *memory, char *packed, enum way way)
{
    nest((struct nest) { l->rows, LAYOUT_FACES * l->cols, l->cols, LAYOUT_FACES },
         (double *) memory + 1, (double *) packed, way);
}

/* Every other block of every other line of blocks is this process's. */
ALWAYS void darray(const struct layout *l, char *memory, char *packed, enum way way)
{
    double *a = (double *) memory, *out = (double *) packed;
    size_t rows = l->rows, cols = l->cols, width = l->width;

    for (size_t i = 0; i < rows; i++) {
        double *line = a + (i + i / LAYOUT_BLOCK * LAYOUT_BLOCK) * width;
        for (size_t j = 0; j < cols; j += LAYOUT_BLOCK)
            for (size_t k = 0; k < LAYOUT_BLOCK; k++)
                copy(&line[2 * j + k], out++, sizeof *out, way);
    }
}

/* ---- blocks and structs ---------------------------------------------------------------------- */

ALWAYS void indexed(const struct layout *l, char *memory, char *packed, enum way way)
{
    for (size_t i = 0; i < l->rows; i++) {
        size_t len = (size_t) l->blocklen[i];
        copy(memory + l->start[i], packed, len, way);
        packed += len;
    }
}

ALWAYS char *member(void *memory, char *packed, size_t len, enum way way)
{
    copy(memory, packed, len, way);
    return packed + len;
}

ALWAYS void mixed(const struct layout *l, char *memory, char *packed, enum way way)
{
    struct layout_mixed *s = (struct layout_mixed *) memory, *end = s + l->rows;

    for (; s < end; s++) {
        packed = member(&s->c, packed, sizeof s->c, way);
        packed = member(&s->d, packed, sizeof s->d, way);
        packed = member(&s->i, packed, sizeof s->i, way);
    }
}

ALWAYS void particle(const struct layout *l, char *memory, char *packed, enum way way)
{
    struct layout_particle *s = (struct layout_particle *) memory, *end = s + l->rows;

    for (; s < end; s++) {
        packed = member(&s->id, packed, sizeof s->id, way);
        packed = member(&s->kind, packed, sizeof s->kind, way);
        packed = member(s->at, packed, sizeof s->at, way);
        packed = member(&s->cell, packed, sizeof s->cell, way);
        packed = member(&s->charge, packed, sizeof s->charge, way);
    }
}

/* ---- both ways ------------------------------------------------------------------------------- */

#define BOTH_WAYS(name)                                                                            \
    static void gather_##name(const struct layout *l, char *memory, char *packed)                  \
    {                                                                                              \
        name(l, memory, packed, GATHER);                                                           \
    }                                                                                              \
    static void scatter_##name(const struct layout *l, char *memory, char *packed)                 \
    {                                                                                              \
        name(l, memory, packed, SCATTER);                                                          \
    }

BOTH_WAYS(column)
BOTH_WAYS(vector)
BOTH_WAYS(indexed)
BOTH_WAYS(mixed)
BOTH_WAYS(particle)
BOTH_WAYS(face_i)
BOTH_WAYS(face_j)
BOTH_WAYS(face_k)
BOTH_WAYS(darray)

layout_loop *const layout_gather[LAYOUTS] = {
    [LAYOUT_COLUMN] = gather_column, [LAYOUT_COLUMN_SMALL] = gather_column,
    [LAYOUT_VECTOR] = gather_vector, [LAYOUT_INDEXED] = gather_indexed,
    [LAYOUT_MIXED] = gather_mixed,   [LAYOUT_PARTICLE] = gather_particle,
    [LAYOUT_FACE_I] = gather_face_i, [LAYOUT_FACE_J] = gather_face_j,
    [LAYOUT_FACE_K] = gather_face_k, [LAYOUT_DARRAY] = gather_darray,
};
layout_loop *const layout_scatter[LAYOUTS] = {
    [LAYOUT_COLUMN] = scatter_column, [LAYOUT_COLUMN_SMALL] = scatter_column,
    [LAYOUT_VECTOR] = scatter_vector, [LAYOUT_INDEXED] = scatter_indexed,
    [LAYOUT_MIXED] = scatter_mixed,   [LAYOUT_PARTICLE] = scatter_particle,
    [LAYOUT_FACE_I] = scatter_face_i, [LAYOUT_FACE_J] = scatter_face_j,
    [LAYOUT_FACE_K] = scatter_face_k, [LAYOUT_DARRAY] = scatter_darray,
};
