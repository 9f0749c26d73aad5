/* types.h — MPI types together with their type maps, and a list of them that tests iterate over.
 *
 * A typed_ constructor makes the MPI type and the type map of one call; it consumes the old type:
 * frees it, so that only the new one keeps it alive. No new type is committed. */
#ifndef TYPES_H
#define TYPES_H

#include <stdarg.h>
#include "mpitest.h"
#include "typemap.h"

struct typed {
    char name[400]; /* the calls that made it */
    MPI_Datatype type;
    struct typemap map;
    bool predefined;
    bool unsure; /* pairs, structs, darrays: MPICH 4 errs in elements and true bounds of some */
};

static inline void typed_free(struct typed *t)
{
    if (!t->predefined)
        CHECK(MPI_Type_free(&t->type) == MPI_SUCCESS);
    tm_free(&t->map);
}

static inline struct typed typed_predefined(const char *name, MPI_Datatype type, struct typemap map)
{
    struct typed t = { .type = type, .map = map, .predefined = true };

    snprintf(t.name, sizeof t.name, "%s", name);
    return t;
}

enum { TYPED_BASICS = TM_BASICS, TYPED_PAIRS = 6 };

static inline struct typed typed_basic(enum tm_basic b)
{
    const struct {
        const char *name;
        MPI_Datatype type;
    } known[] = {
        { "CHAR", MPI_CHAR },
        { "SHORT", MPI_SHORT },
        { "INT", MPI_INT },
        { "FLOAT", MPI_FLOAT },
        { "LONG", MPI_LONG },
        { "DOUBLE", MPI_DOUBLE },
        { "C_DOUBLE_COMPLEX", MPI_C_DOUBLE_COMPLEX },
        { "LONG_DOUBLE", MPI_LONG_DOUBLE },
    };

    return typed_predefined(known[b].name, known[b].type, tm_basic(b));
}

static inline struct typed typed_pair(int i)
{
    const struct {
        const char *name;
        MPI_Datatype type;
        enum tm_basic first;
    } known[TYPED_PAIRS] = {
        { "DOUBLE_INT", MPI_DOUBLE_INT, TM_DOUBLE },
        { "LONG_INT", MPI_LONG_INT, TM_LONG },
        { "SHORT_INT", MPI_SHORT_INT, TM_SHORT },
        { "2INT", MPI_2INT, TM_INT },
        { "FLOAT_INT", MPI_FLOAT_INT, TM_FLOAT },
        { "LONG_DOUBLE_INT", MPI_LONG_DOUBLE_INT, TM_LONG_DOUBLE },
    };

    struct typed t = typed_predefined(known[i].name, known[i].type, tm_pair(known[i].first));
    t.unsure = true;
    return t;
}

/* Appends to the name of t; a text that does not fit is cut off. */
static inline void typed_say(struct typed *t, const char *format, ...)
{
    size_t n = strlen(t->name);
    va_list args;

    va_start(args, format);
    vsnprintf(t->name + n, sizeof t->name - n, format, args);
    va_end(args);
}

static inline void typed_say_ints(struct typed *t, int n, const int *value)
{
    typed_say(t, "{");
    for (int i = 0; i < n; i++)
        typed_say(t, i ? ",%d" : "%d", value[i]);
    typed_say(t, "}");
}

static inline void typed_say_aints(struct typed *t, int n, const MPI_Aint *value)
{
    typed_say(t, "{");
    for (int i = 0; i < n; i++)
        typed_say(t, i ? ",%ld" : "%ld", (long) value[i]);
    typed_say(t, "}");
}

/* The old type is no longer needed: its name is the last argument of the new one. */
static inline struct typed typed_from(struct typed t, struct typed *old)
{
    typed_say(&t, " %s)", old->name);
    t.unsure |= old->unsure;
    typed_free(old);
    return t;
}

static inline struct typed typed_dup(struct typed old)
{
    struct typed t = { .name = "dup(", .map = tm_dup(&old.map) };

    CHECK(MPI_Type_dup(old.type, &t.type) == MPI_SUCCESS);
    return typed_from(t, &old);
}

static inline struct typed typed_contiguous(int count, struct typed old)
{
    struct typed t = { .map = tm_contiguous(count, &old.map) };

    typed_say(&t, "contiguous(%d", count);
    CHECK(MPI_Type_contiguous(count, old.type, &t.type) == MPI_SUCCESS);
    return typed_from(t, &old);
}

static inline struct typed typed_vector(int count, int blocklength, int stride, struct typed old)
{
    struct typed t = { .map =
                           tm_hvector(count, blocklength, stride * tm_extent(&old.map), &old.map) };

    typed_say(&t, "vector(%d,%d,%d", count, blocklength, stride);
    CHECK(MPI_Type_vector(count, blocklength, stride, old.type, &t.type) == MPI_SUCCESS);
    return typed_from(t, &old);
}

static inline struct typed typed_hvector(int count, int blocklength, MPI_Aint stride,
                                         struct typed old)
{
    struct typed t = { .map = tm_hvector(count, blocklength, stride, &old.map) };

    typed_say(&t, "hvector(%d,%d,%ld", count, blocklength, (long) stride);
    CHECK(MPI_Type_create_hvector(count, blocklength, stride, old.type, &t.type) == MPI_SUCCESS);
    return typed_from(t, &old);
}

/* disp counts in extents. */
static inline struct typed typed_indexed(int count, const int *blocklength, const int *disp,
                                         struct typed old)
{
    ptrdiff_t *bytes = malloc((size_t) (count + 1) * sizeof *bytes);
    struct typed t = { .name = "indexed(" };

    CHECK(bytes);
    for (int i = 0; i < count; i++)
        bytes[i] = disp[i] * tm_extent(&old.map);
    t.map = tm_hindexed(count, blocklength, bytes, &old.map);
    free(bytes);
    typed_say_ints(&t, count, blocklength);
    typed_say_ints(&t, count, disp);
    CHECK(MPI_Type_indexed(count, blocklength, disp, old.type, &t.type) == MPI_SUCCESS);
    return typed_from(t, &old);
}

static inline struct typed typed_hindexed(int count, const int *blocklength, const MPI_Aint *disp,
                                          struct typed old)
{
    struct typed t = { .name = "hindexed(",
                       .map = tm_hindexed(count, blocklength, disp, &old.map) };

    typed_say_ints(&t, count, blocklength);
    typed_say_aints(&t, count, disp);
    CHECK(MPI_Type_create_hindexed(count, blocklength, disp, old.type, &t.type) == MPI_SUCCESS);
    return typed_from(t, &old);
}

/* As indexed or hindexed with the same blocklength in each block. */
static inline struct typed typed_blocks(int count, int blocklength, const int *index,
                                        const MPI_Aint *disp, struct typed old)
{
    int *length = malloc((size_t) (count + 1) * sizeof *length);
    MPI_Aint *bytes = malloc((size_t) (count + 1) * sizeof *bytes);
    struct typed t = { .name = "" };

    CHECK(length && bytes);
    for (int i = 0; i < count; i++) {
        length[i] = blocklength;
        bytes[i] = index ? index[i] * tm_extent(&old.map) : disp[i];
    }
    t.map = tm_hindexed(count, length, bytes, &old.map);
    free(length);
    free(bytes);
    typed_say(&t, "%sindexed_block(%d", index ? "" : "h", blocklength);
    if (index) {
        typed_say_ints(&t, count, index);
        CHECK(MPI_Type_create_indexed_block(count, blocklength, index, old.type, &t.type)
              == MPI_SUCCESS);
    } else {
        typed_say_aints(&t, count, disp);
        CHECK(MPI_Type_create_hindexed_block(count, blocklength, disp, old.type, &t.type)
              == MPI_SUCCESS);
    }
    return typed_from(t, &old);
}

static inline struct typed typed_indexed_block(int count, int blocklength, const int *disp,
                                               struct typed old)
{
    return typed_blocks(count, blocklength, disp, NULL, old);
}

static inline struct typed typed_hindexed_block(int count, int blocklength, const MPI_Aint *disp,
                                                struct typed old)
{
    return typed_blocks(count, blocklength, NULL, disp, old);
}

/* Consumes all members; at most 64. */
static inline struct typed typed_struct(int count, const int *blocklength, const MPI_Aint *disp,
                                        struct typed *member)
{
    struct typed t = { .name = "struct(", .unsure = true };
    struct typemap map[64];
    MPI_Datatype type[64];

    CHECK(count <= 64);
    memset(map, 0, sizeof map);
    for (int i = 0; i < count; i++) {
        map[i] = member[i].map;
        type[i] = member[i].type;
    }
    t.map = tm_struct(count, blocklength, disp, map);
    typed_say_ints(&t, count, blocklength);
    typed_say_aints(&t, count, disp);
    CHECK(MPI_Type_create_struct(count, blocklength, disp, type, &t.type) == MPI_SUCCESS);
    for (int i = 0; i < count; i++) {
        typed_say(&t, " %s", member[i].name);
        typed_free(&member[i]);
    }
    typed_say(&t, ")");
    return t;
}

static inline struct typed typed_resized(MPI_Aint lb, MPI_Aint extent, struct typed old)
{
    struct typed t = { .map = tm_resized(&old.map, lb, extent) };

    typed_say(&t, "resized(%ld,%ld", (long) lb, (long) extent);
    CHECK(MPI_Type_create_resized(old.type, lb, extent, &t.type) == MPI_SUCCESS);
    return typed_from(t, &old);
}

struct typed_window {
    int sizes[8], subsizes[8], starts[8];
};

static inline struct typed typed_subarray(int dims, const struct typed_window *w, int order,
                                          struct typed old)
{
    struct typed t = { .map = tm_subarray(dims, w->sizes, w->subsizes, w->starts,
                                          order == MPI_ORDER_C, &old.map) };

    typed_say(&t, "subarray(");
    typed_say_ints(&t, dims, w->sizes);
    typed_say_ints(&t, dims, w->subsizes);
    typed_say_ints(&t, dims, w->starts);
    typed_say(&t, order == MPI_ORDER_C ? "C" : "F");
    CHECK(MPI_Type_create_subarray(dims, w->sizes, w->subsizes, w->starts, order, old.type, &t.type)
          == MPI_SUCCESS);
    return typed_from(t, &old);
}

/* distrib and darg as MPI has them. */
struct typed_grid {
    int gsizes[8], distribs[8], dargs[8], psizes[8];
};

/* The reductions of 4.1.4 to cyclic(block). */
static inline struct tm_cyclic typed_cyclic(const struct typed_grid *g, int d)
{
    struct tm_cyclic c = { .size = g->gsizes[d], .procs = g->psizes[d], .block = g->dargs[d] };

    if (g->distribs[d] == MPI_DISTRIBUTE_NONE)
        c.block = c.size;
    else if (c.block == MPI_DISTRIBUTE_DFLT_DARG)
        c.block = g->distribs[d] == MPI_DISTRIBUTE_CYCLIC ? 1 : (c.size + c.procs - 1) / c.procs;
    return c;
}

static inline struct typed typed_darray(int rank, int dims, const struct typed_grid *g, int order,
                                        struct typed old)
{
    struct tm_cyclic dim[8];
    struct typed t = { .name = "darray(", .unsure = true };
    int size = 1;

    for (int d = 0; d < dims; d++) {
        dim[d] = typed_cyclic(g, d);
        size *= g->psizes[d];
    }
    t.map = tm_darray(rank, dims, dim, order == MPI_ORDER_C, &old.map);
    typed_say(&t, "rank %d ", rank);
    typed_say_ints(&t, dims, g->gsizes);
    typed_say_ints(&t, dims, g->distribs);
    typed_say_ints(&t, dims, g->dargs);
    typed_say_ints(&t, dims, g->psizes);
    typed_say(&t, order == MPI_ORDER_C ? "C" : "F");
    CHECK(MPI_Type_create_darray(size, rank, dims, g->gsizes, g->distribs, g->dargs, g->psizes,
                                 order, old.type, &t.type)
          == MPI_SUCCESS);
    return typed_from(t, &old);
}

/* ---- the memory of count elements ---- */

/* base is the buffer argument of MPI; count elements touch only the len bytes at mem. */
struct typed_buffer {
    char *mem, *base;
    size_t len;
};

/* Fresh memory (mpitest_memory) for count elements, with 64 more bytes on both sides. */
static inline struct typed_buffer typed_buffer(const struct typed *t, int count)
{
    ptrdiff_t low, high;

    tm_span(&t->map, count, &low, &high);
    struct typed_buffer b = { .len = (size_t) (high - low) + 128 };
    b.mem = mpitest_memory(b.len);
    b.base = b.mem + 64 - low;
    return b;
}

/* The value that the sender seed puts at byte i of the elements' data. */
static inline char typed_byte(unsigned seed, size_t i)
{
    return (char) (seed * 131u + i * 7u + (i >> 8) * 13u + (i >> 16) * 29u + 1u);
}

static inline void typed_fill_one(void *at, size_t offset, int len, void *seed)
{
    for (int i = 0; i < len; i++)
        ((char *) at)[i] = typed_byte(*(unsigned *) seed, offset + (size_t) i);
}

static inline void typed_fill(const struct typed *t, struct typed_buffer b, int count,
                              unsigned seed)
{
    tm_each(&t->map, b.base, count, typed_fill_one, &seed);
}

/* Whether b has the first count elements of the sender seed, and fresh memory everywhere else. */
static inline bool typed_has(const struct typed *t, struct typed_buffer b, int count, unsigned seed)
{
    char *expected = mpitest_memory(b.len);
    struct typed_buffer e = { expected, expected + (b.base - b.mem), b.len };
    bool same;

    typed_fill(t, e, count, seed);
    same = memcmp(expected, b.mem, b.len) == 0;
    free(expected);
    return same;
}

/* ---- the list ---- */

static inline struct typed typed_mixed(void)
{
    return typed_struct(
        3, (int[]) { 2, 1, 3 }, (MPI_Aint[]) { 0, 8, 16 },
        (struct typed[]) { typed_basic(TM_SHORT), typed_basic(TM_DOUBLE), typed_basic(TM_CHAR) });
}

static inline struct typed typed_nested(void)
{
    struct typed inner = typed_vector(3, 2, 4, typed_basic(TM_INT));
    struct typed other = typed_hvector(2, 1, -24, typed_mixed());

    return typed_struct(3, (int[]) { 2, 1, 1 }, (MPI_Aint[]) { 200, 100, 0 },
                        (struct typed[]) { inner, other, typed_basic(TM_LONG) });
}

static inline int types_regular(struct typed *list)
{
    int n = 0;

    list[n++] = typed_basic(TM_CHAR);
    list[n++] = typed_basic(TM_LONG_DOUBLE);
    for (int i = 0; i < TYPED_PAIRS; i++)
        list[n++] = typed_pair(i);
    list[n++] = typed_dup(typed_basic(TM_INT));
    list[n++] = typed_contiguous(3, typed_basic(TM_SHORT));
    list[n++] = typed_contiguous(5, typed_pair(2));
    list[n++] = typed_vector(4, 2, 5, typed_basic(TM_INT));
    list[n++] = typed_vector(3, 1, -2, typed_basic(TM_DOUBLE));
    list[n++] = typed_hvector(3, 1, 7, typed_basic(TM_INT)); /* not aligned */
    list[n++] = typed_hvector(3, 2, -33, typed_basic(TM_DOUBLE));
    list[n++] = typed_contiguous(0, typed_basic(TM_INT));
    list[n++] = typed_vector(3, 4, 9, typed_contiguous(0, typed_basic(TM_CHAR)));
    return n;
}

static inline int types_irregular(struct typed *list)
{
    const int length[] = { 2, 0, 1, 3, 0 }, index[] = { 9, 3, -2, 2, 40 };
    const MPI_Aint disp[] = { 50, 3, -11, 8, 400 };
    int n = 0;

    list[n++] = typed_indexed(5, length, index, typed_basic(TM_INT));
    list[n++] = typed_hindexed(5, length, disp, typed_basic(TM_INT));
    list[n++] = typed_indexed_block(3, 2, index, typed_basic(TM_DOUBLE));
    list[n++] = typed_hindexed_block(4, 2, disp, typed_basic(TM_SHORT));
    list[n++] = typed_mixed();
    list[n++] = typed_nested();
    list[n++] = typed_vector(2, 3, 4, typed_mixed());
    return n;
}

static inline int types_of_arrays(struct typed *list)
{
    const struct typed_window plane = { { 5, 7 }, { 3, 4 }, { 1, 2 } };
    const struct typed_window box = { { 4, 3, 5 }, { 2, 3, 1 }, { 1, 0, 4 } };
    const struct typed_grid grid = { { 7, 5 },
                                     { MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_BLOCK },
                                     { 2, MPI_DISTRIBUTE_DFLT_DARG },
                                     { 2, 2 } };
    int n = 0;

    for (int k = 0; k < 2; k++) {
        int order = k ? MPI_ORDER_C : MPI_ORDER_FORTRAN;

        list[n++] = typed_subarray(2, &plane, order, typed_basic(TM_DOUBLE));
        list[n++] = typed_subarray(3, &box, order, typed_basic(TM_INT));
        for (int rank = 0; rank < 4; rank++)
            list[n++] = typed_darray(rank, 2, &grid, order, typed_basic(TM_LONG));
    }
    return n;
}

static inline int types_resized(struct typed *list)
{
    int n = 0;

    list[n++] = typed_resized(0, 24, typed_basic(TM_INT));
    list[n++] = typed_resized(-8, 20, typed_basic(TM_DOUBLE));
    list[n++] = typed_resized(4, -16, typed_basic(TM_INT));
    list[n++] = typed_resized(0, 8, typed_hvector(3, 1, 80, typed_basic(TM_DOUBLE))); /* column */
    list[n++] = typed_contiguous(4, typed_resized(-3, 9, typed_basic(TM_INT)));
    list[n++] = typed_resized(2, 40, typed_mixed());
    return n;
}

/* Calls test with each type, committed, and frees it. */
static inline void types_each(void (*test)(const struct typed *t))
{
    static struct typed list[64];
    int n = types_regular(list);

    n += types_irregular(list + n);
    n += types_of_arrays(list + n);
    n += types_resized(list + n);
    CHECK(n <= 64);
    for (int i = 0; i < n; i++) {
        CHECK(MPI_Type_commit(&list[i].type) == MPI_SUCCESS);
        test(&list[i]);
        typed_free(&list[i]);
    }
}

#endif /* TYPES_H */
