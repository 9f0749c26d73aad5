/* io_shapes.c — the shapes of collective accesses that io.c measures. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "io_shapes.h"
#include "perf.h"

enum {
    BYTES = 8 << 20, /* of a process, about */
    KIB = 1024,
    MIB = 1 << 20,
    RECORD = 47008, /* of IOR's hard shape */
    RECORDS = 64,
    EDGE3 = 64, /* doubles of a process along each dimension */
    EDGE4 = 24,
    CELL = 32, /* elements of a cell of BTIO along each dimension, */
    GHOSTS = 2,
    ROOM = CELL + 2 * GHOSTS, /* ... with ghosts, */
    ELEMENT = 5 * sizeof(double),
    MOST = 4 /* dimensions */
};

const char *const io_shape_names[IO_SHAPES] = {
    [IO_INTERLEAVED] = "interleaved",
    [IO_ARRAY3] = "array3",
    [IO_ARRAY3_F] = "array3_fortran",
    [IO_ARRAY4] = "array4",
    [IO_ARRAY4_F] = "array4_fortran",
    [IO_HOLES_MEMORY] = "holes_memory",
    [IO_HOLES_FILE] = "holes_file",
    [IO_HOLES_BOTH] = "holes_both",
    [IO_IOR_EASY] = "ior_easy",
    [IO_IOR_HARD] = "ior_hard",
    [IO_BTIO] = "btio",
};

/* ---- places ---------------------------------------------------------------------------------- */

static struct io_places one_loop(MPI_Aint base, MPI_Aint stride, int count)
{
    return (struct io_places) { 1, { { base, { 0, 0, stride }, { 1, 1, count } } } };
}

static MPI_Aint *offsets(const struct io_places *p, int blocks)
{
    MPI_Aint *all = malloc((size_t) blocks * sizeof *all), *to = all;

    if (!all)
        perf_fail("out of memory");
    for (int n = 0; n < p->nests; n++)
        for (int i = 0; i < p->nest[n].count[0]; i++)
            for (int j = 0; j < p->nest[n].count[1]; j++)
                for (int k = 0; k < p->nest[n].count[2]; k++)
                    *to++ = p->nest[n].base + i * p->nest[n].stride[0] + j * p->nest[n].stride[1]
                            + k * p->nest[n].stride[2];
    return all;
}

MPI_Aint *io_shape_in_memory(const struct io_shape *s) { return offsets(&s->in_memory, s->blocks); }

/* ---- arrays ---------------------------------------------------------------------------------- */

struct grid { /* the slowest dimension first */
    int dims, edge;
    int size[MOST], start[MOST], part[MOST];
};

static struct grid grid_of(enum io_kind kind, int rank)
{
    struct grid g = { .dims = kind == IO_ARRAY3 || kind == IO_ARRAY3_F ? 3 : 4 };
    int procs[MOST] = { 0 };

    g.edge = g.dims == 3 ? EDGE3 : EDGE4;
    MPI_Dims_create(perf.size, g.dims, procs);
    for (int d = g.dims - 1; d >= 0; rank /= procs[d--]) {
        g.size[d] = g.edge * procs[d];
        g.start[d] = g.edge * (rank % procs[d]);
        g.part[d] = g.edge;
    }
    return g;
}

static struct io_places places_of_array(enum io_kind kind, int rank)
{
    struct grid g = grid_of(kind, rank);
    struct io_places p = { 1, { { 0, { 0 }, { 1, 1, 1 } } } };
    MPI_Aint stride = sizeof(double);

    for (int d = g.dims - 1; d >= 0; stride *= g.size[d--]) {
        int level = IO_LEVELS - g.dims + 1 + d; /* the fastest dimension is the block */
        p.nest[0].base += g.start[d] * stride;
        if (d < g.dims - 1) {
            p.nest[0].stride[level] = stride;
            p.nest[0].count[level] = g.edge;
        }
    }
    return p;
}

static void reverse(int *a, int n)
{
    for (int i = 0; i < n / 2; i++) {
        int was = a[i];
        a[i] = a[n - 1 - i];
        a[n - 1 - i] = was;
    }
}

static void make_array(struct io_shape *s, enum io_kind kind)
{
    struct grid g = grid_of(kind, perf.rank);
    bool fortran = kind == IO_ARRAY3_F || kind == IO_ARRAY4_F;
    int *const lists[] = { g.size, g.part, g.start };

    s->etype = s->memory = MPI_DOUBLE;
    s->file = sizeof(double);
    s->count = s->blocks = 1;
    s->block = (size_t) g.edge * sizeof(double);
    for (int d = 0; d < g.dims; d++) {
        s->file *= g.size[d];
        s->count *= g.edge;
        s->blocks *= d ? g.edge : 1;
    }
    for (int i = 0; fortran && i < 3; i++)
        reverse(lists[i], g.dims);
    MPI_Type_create_subarray(g.dims, g.size, g.part, g.start,
                             fortran ? MPI_ORDER_FORTRAN : MPI_ORDER_C, MPI_DOUBLE, &s->filetype);
}

/* ---- BTIO ------------------------------------------------------------------------------------ */

/* Of n * n processes each has a cell in each of n layers of the array, no two in the same row or
 * column: the places are those of the diagonals. */
static int edge_of_cells(void)
{
    int n = 1;

    while (n * n < perf.size)
        n++;
    return n <= IO_CELLS ? n : 0;
}

static void start_of_cell(int rank, int cell, int start[3])
{
    int n = edge_of_cells();

    start[0] = cell * CELL;
    start[1] = (rank / n + cell) % n * CELL;
    start[2] = (rank % n + cell) % n * CELL;
}

static struct io_places places_of_cells(int rank)
{
    int n = edge_of_cells();
    MPI_Aint line = (MPI_Aint) n * CELL * ELEMENT, layer = line * n * CELL;
    struct io_places p = { .nests = n };

    for (int c = 0; c < n; c++) {
        int at[3];
        start_of_cell(rank, c, at);
        p.nest[c].base = at[0] * layer + at[1] * line + at[2] * (MPI_Aint) ELEMENT;
        p.nest[c].stride[1] = layer;
        p.nest[c].stride[2] = line;
        p.nest[c].count[0] = 1;
        p.nest[c].count[1] = p.nest[c].count[2] = CELL;
    }
    return p;
}

static struct io_places places_in_cells(void)
{
    MPI_Aint line = ROOM * ELEMENT, layer = line * ROOM;
    struct io_places p = places_of_cells(0);

    for (int c = 0; c < p.nests; c++) {
        p.nest[c].base = c * layer * ROOM + GHOSTS * (layer + line + (MPI_Aint) ELEMENT);
        p.nest[c].stride[1] = layer;
        p.nest[c].stride[2] = line;
    }
    return p;
}

static MPI_Datatype join(const MPI_Aint *at, MPI_Datatype *types, int n)
{
    const int lens[IO_CELLS] = { 1, 1, 1, 1 };
    MPI_Datatype all;

    MPI_Type_create_struct(n, lens, at, types, &all);
    for (int i = 0; i < n; i++)
        MPI_Type_free(&types[i]);
    return all;
}

static void make_cells(struct io_shape *s)
{
    int n = edge_of_cells(), whole = n * CELL;
    const int sizes[3] = { whole, whole, whole }, part[3] = { CELL, CELL, CELL },
              room[3] = { ROOM, ROOM, ROOM }, inner[3] = { GHOSTS, GHOSTS, GHOSTS };
    MPI_Datatype in_file[IO_CELLS], in_memory[IO_CELLS];
    MPI_Aint zero[IO_CELLS] = { 0 }, at[IO_CELLS];

    MPI_Type_contiguous(5, MPI_DOUBLE, &s->etype);
    MPI_Type_commit(&s->etype);
    for (int c = 0; c < n; c++) {
        int start[3];
        start_of_cell(perf.rank, c, start);
        MPI_Type_create_subarray(3, sizes, part, start, MPI_ORDER_C, s->etype, &in_file[c]);
        MPI_Type_create_subarray(3, room, part, inner, MPI_ORDER_C, s->etype, &in_memory[c]);
        at[c] = (MPI_Aint) c * ROOM * ROOM * ROOM * (MPI_Aint) ELEMENT;
    }
    s->filetype = join(zero, in_file, n);
    s->memory = join(at, in_memory, n);
    s->count = 1;
    s->block = CELL * ELEMENT;
    s->blocks = n * CELL * CELL;
    s->span = (size_t) n * ROOM * ROOM * ROOM * ELEMENT;
    s->file = (MPI_Aint) whole * whole * whole * (MPI_Aint) ELEMENT;
    s->in_memory = places_in_cells();
}

/* ---- blocks ---------------------------------------------------------------------------------- */

/* The distance of the blocks of all ranks in the file. */
static MPI_Aint step_of(enum io_kind kind, const struct io_shape *s)
{
    MPI_Aint block = (MPI_Aint) s->block;

    return kind == IO_HOLES_FILE || kind == IO_HOLES_BOTH ? 2 * block : block;
}

static void make_blocks(struct io_shape *s, enum io_kind kind, size_t size)
{
    static const size_t blocks[IO_SHAPES] = { [IO_IOR_EASY] = MIB, [IO_IOR_HARD] = RECORD };
    bool ior = kind == IO_IOR_EASY || kind == IO_IOR_HARD;
    bool holes = kind == IO_HOLES_MEMORY || kind == IO_HOLES_BOTH;

    s->etype = s->memory = MPI_BYTE;
    s->block = kind == IO_INTERLEAVED ? size : blocks[kind] ? blocks[kind] : KIB;
    s->blocks = kind == IO_IOR_HARD ? RECORDS : BYTES / (int) s->block;
    s->count = s->blocks * (int) s->block;
    s->calls = ior ? s->blocks : 1;
    s->file = step_of(kind, s) * s->blocks * perf.size;
    if (holes) {
        int block = (int) s->block;
        s->count = 1;
        s->span = 2 * s->block * (size_t) s->blocks;
        s->in_memory = one_loop(0, 2 * block, s->blocks);
        MPI_Type_vector(s->blocks, block, 2 * block, MPI_BYTE, &s->memory);
    }
    if (ior)
        MPI_Type_dup(MPI_BYTE, &s->filetype);
    else {
        MPI_Datatype block;
        s->disp = perf.rank * step_of(kind, s);
        MPI_Type_contiguous((int) s->block, MPI_BYTE, &block);
        MPI_Type_create_resized(block, 0, step_of(kind, s) * perf.size, &s->filetype);
        MPI_Type_free(&block);
    }
}

/* ---- all ------------------------------------------------------------------------------------- */

static bool is_array(enum io_kind kind) { return kind >= IO_ARRAY3 && kind <= IO_ARRAY4_F; }

MPI_Aint *io_shape_in_file(enum io_kind kind, const struct io_shape *s, int rank)
{
    MPI_Aint step = step_of(kind, s);
    struct io_places p = is_array(kind)        ? places_of_array(kind, rank)
                         : kind == IO_BTIO     ? places_of_cells(rank)
                         : kind == IO_IOR_EASY ? one_loop(rank * step * s->blocks, step, s->blocks)
                                               : one_loop(rank * step, step * perf.size, s->blocks);

    return offsets(&p, s->blocks);
}

struct io_shape *io_shape_new(enum io_kind kind, size_t size)
{
    int n = edge_of_cells();
    struct io_shape *s;

    if (kind == IO_BTIO && n * n != perf.size)
        return NULL;
    if (!(s = calloc(1, sizeof *s)))
        perf_fail("out of memory");
    s->calls = 1;
    if (is_array(kind))
        make_array(s, kind);
    else if (kind == IO_BTIO)
        make_cells(s);
    else
        make_blocks(s, kind, size);
    if (!s->span) {
        s->span = s->block * (size_t) s->blocks;
        s->in_memory = one_loop(0, (MPI_Aint) s->block, s->blocks);
    }
    MPI_Type_commit(&s->filetype);
    if (s->memory != MPI_BYTE && s->memory != MPI_DOUBLE)
        MPI_Type_commit(&s->memory);
    return s;
}

void io_shape_free(struct io_shape *s)
{
    MPI_Type_free(&s->filetype);
    if (s->memory != MPI_BYTE && s->memory != MPI_DOUBLE)
        MPI_Type_free(&s->memory);
    if (s->etype != MPI_BYTE && s->etype != MPI_DOUBLE)
        MPI_Type_free(&s->etype);
    free(s);
}
