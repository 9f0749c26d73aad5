/* layouts.c — the derived types of layouts.h. */
#include <stdint.h>
#include <stdlib.h>
#include "layouts.h"
#include "perf.h"

enum { MATRIX = 1024, SMALL_MATRIX = 128, MOST_BYTES = 64 };

const char *const layout_names[LAYOUTS] = {
    [LAYOUT_COLUMN] = "column", [LAYOUT_COLUMN_SMALL] = "column_small",
    [LAYOUT_VECTOR] = "vector", [LAYOUT_INDEXED] = "indexed",
    [LAYOUT_MIXED] = "mixed",   [LAYOUT_PARTICLE] = "particle",
    [LAYOUT_FACE_I] = "face_i", [LAYOUT_FACE_J] = "face_j",
    [LAYOUT_FACE_K] = "face_k", [LAYOUT_DARRAY] = "darray",
};

/* ---- matrices -------------------------------------------------------------------------------- */

/* A type of one column, with the extent of an element, so that the next column follows. */
static bool columns(struct layout *l, size_t size, size_t width)
{
    MPI_Datatype one;
    size_t all = size / sizeof(double);

    l->rows = all < width ? all : width;
    l->cols = all / l->rows;
    l->width = width;
    l->count = (int) l->cols;
    l->len = l->rows * l->cols * sizeof(double);
    l->span = width * width * sizeof(double);
    MPI_Type_vector((int) l->rows, 1, (int) width, MPI_DOUBLE, &one);
    MPI_Type_create_resized(one, 0, sizeof(double), &l->type);
    MPI_Type_free(&one);
    return l->cols <= width;
}

static bool column(struct layout *l, size_t size) { return columns(l, size, MATRIX); }
static bool column_small(struct layout *l, size_t size) { return columns(l, size, SMALL_MATRIX); }

static bool vector(struct layout *l, size_t size)
{
    l->rows = size / (4 * sizeof(double));
    l->len = l->rows * 4 * sizeof(double);
    l->span = l->rows * 16 * sizeof(double);
    MPI_Type_vector((int) l->rows, 4, 16, MPI_DOUBLE, &l->type);
    return true;
}

/* As many elements in rows, whose length is the number of rows or twice that. */
static void square(struct layout *l, size_t size)
{
    size_t all = size / sizeof(double);

    for (l->rows = 1; 4 * l->rows * l->rows <= all;)
        l->rows *= 2;
    l->cols = all / l->rows;
    l->len = l->rows * l->cols * sizeof(double);
}

static bool face(struct layout *l, size_t size, int direction)
{
    int sizes[3], part[3], start[3] = { 0 };

    square(l, size);
    for (int d = 0, next = 0; d < 3; d++)
        sizes[d] = part[d] = d == direction ? LAYOUT_FACES : (int) (next++ ? l->cols : l->rows);
    part[direction] = start[direction] = 1;
    l->span = l->len * LAYOUT_FACES;
    MPI_Type_create_subarray(3, sizes, part, start, MPI_ORDER_C, MPI_DOUBLE, &l->type);
    return true;
}

static bool face_i(struct layout *l, size_t size) { return face(l, size, 0); }
static bool face_j(struct layout *l, size_t size) { return face(l, size, 1); }
static bool face_k(struct layout *l, size_t size) { return face(l, size, 2); }

/* The other process of the grid has as many, or none when there is only one block. */
static int global(size_t mine) { return (int) (mine < LAYOUT_BLOCK ? mine : 2 * mine); }

static bool darray(struct layout *l, size_t size)
{
    const int cyclic[2] = { MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_CYCLIC };
    const int block[2] = { LAYOUT_BLOCK, LAYOUT_BLOCK }, grid[2] = { 2, 2 };

    square(l, size);
    const int all[2] = { global(l->rows), global(l->cols) };
    l->width = (size_t) all[1];
    l->span = (size_t) all[0] * l->width * sizeof(double);
    MPI_Type_create_darray(4, 0, 2, all, cyclic, block, grid, MPI_ORDER_C, MPI_DOUBLE, &l->type);
    return l->cols % LAYOUT_BLOCK == 0 && (l->rows < LAYOUT_BLOCK || l->rows % LAYOUT_BLOCK == 0);
}

/* ---- blocks and structs ---------------------------------------------------------------------- */

/* 1 to MOST_BYTES, the same in all ranks and libraries. */
static int random_bytes(uint64_t *state)
{
    *state = *state * 6364136223846793005 + 1442695040888963407;
    return 1 + (int) (*state >> 33) % MOST_BYTES;
}

static bool indexed(struct layout *l, size_t size)
{
    uint64_t state = 4;
    int at = 0;

    l->start = perf_buffer(size * sizeof(int)); /* enough even when all blocks are a byte */
    l->blocklen = perf_buffer(size * sizeof(int));
    for (; l->len < size; l->rows++) {
        int len = random_bytes(&state);
        if ((size_t) len > size - l->len)
            len = (int) (size - l->len);
        at += random_bytes(&state);
        l->start[l->rows] = at;
        l->blocklen[l->rows] = len;
        l->len += (size_t) len;
        at += len;
    }
    l->span = (size_t) at;
    MPI_Type_indexed((int) l->rows, l->blocklen, l->start, MPI_BYTE, &l->type);
    return true;
}

/* An array of structs whose members together have so many bytes. */
static bool structs(struct layout *l, size_t number, size_t extent, size_t members)
{
    l->rows = number;
    l->count = (int) number;
    l->len = number * members;
    l->span = number * extent;
    return true;
}

static bool mixed(struct layout *l, size_t size)
{
    const int blocklen[] = { 1, 1, 1 };
    const MPI_Aint at[] = { offsetof(struct layout_mixed, c), offsetof(struct layout_mixed, d),
                            offsetof(struct layout_mixed, i) };
    const MPI_Datatype types[] = { MPI_CHAR, MPI_DOUBLE, MPI_INT };
    const size_t members = sizeof(char) + sizeof(double) + sizeof(int);

    MPI_Type_create_struct(3, blocklen, at, types, &l->type);
    return structs(l, size / members, sizeof(struct layout_mixed), members);
}

static bool particle(struct layout *l, size_t size)
{
    const int blocklen[] = { 1, 1, 3, 1, 1 };
    const MPI_Aint at[] = { offsetof(struct layout_particle, id),
                            offsetof(struct layout_particle, kind),
                            offsetof(struct layout_particle, at),
                            offsetof(struct layout_particle, cell),
                            offsetof(struct layout_particle, charge) };
    const MPI_Datatype types[] = { MPI_INT, MPI_CHAR, MPI_DOUBLE, MPI_SHORT, MPI_FLOAT };
    const size_t members =
        sizeof(int) + sizeof(char) + 3 * sizeof(double) + sizeof(short) + sizeof(float);

    MPI_Type_create_struct(5, blocklen, at, types, &l->type);
    return structs(l, size / members, sizeof(struct layout_particle), members);
}

/* ---- all ------------------------------------------------------------------------------------- */

struct layout *layout_new(enum layout_kind kind, size_t size)
{
    static bool (*const build[LAYOUTS])(struct layout *, size_t) = {
        [LAYOUT_COLUMN] = column, [LAYOUT_COLUMN_SMALL] = column_small,
        [LAYOUT_VECTOR] = vector, [LAYOUT_INDEXED] = indexed,
        [LAYOUT_MIXED] = mixed,   [LAYOUT_PARTICLE] = particle,
        [LAYOUT_FACE_I] = face_i, [LAYOUT_FACE_J] = face_j,
        [LAYOUT_FACE_K] = face_k, [LAYOUT_DARRAY] = darray,
    };
    struct layout *l = calloc(1, sizeof *l);

    if (!l || size < MOST_BYTES)
        perf_fail(l ? "a derived type has at least 64 bytes" : "out of memory");
    l->count = 1;
    bool possible = build[kind](l, size);
    MPI_Type_commit(&l->type);
    if (possible)
        return l;
    layout_free(l);
    return NULL;
}

void layout_free(struct layout *l)
{
    MPI_Type_free(&l->type);
    free(l->start);
    free(l->blocklen);
    free(l);
}
