/* typemap.h — type maps by the definitions of the standard (4.1), entry by entry and without MPI.
 *
 * Tests compare what a library says of a type, and the bytes it moves, with what the type map of
 * the same construction says. Nothing here is clever: each constructor copies the entries of the
 * old type to their new displacements. The conceptual lb_marker and ub_marker (4.1.6) are entries
 * as well. The epsilon that pads a struct is a third kind: it says where the struct ends unless a
 * ub_marker does; other constructors pad nothing, as MPICH has it. */
#ifndef TYPEMAP_H
#define TYPEMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum tm_basic {
    TM_CHAR,
    TM_SHORT,
    TM_INT,
    TM_FLOAT,
    TM_LONG,
    TM_DOUBLE,
    TM_COMPLEX,
    TM_LONG_DOUBLE,
    TM_BASICS,
    TM_LB_MARKER,
    TM_UB_MARKER,
    TM_EPSILON
};

static const struct {
    int size, align;
} tm_basics[] = {
    [TM_CHAR] = { 1, 1 },
    [TM_SHORT] = { sizeof(short), _Alignof(short) },
    [TM_INT] = { sizeof(int), _Alignof(int) },
    [TM_FLOAT] = { sizeof(float), _Alignof(float) },
    [TM_LONG] = { sizeof(long), _Alignof(long) },
    [TM_DOUBLE] = { sizeof(double), _Alignof(double) },
    [TM_COMPLEX] = { sizeof(double _Complex), _Alignof(double _Complex) },
    [TM_LONG_DOUBLE] = { sizeof(long double), _Alignof(long double) },
    [TM_LB_MARKER] = { 0, 1 },
    [TM_UB_MARKER] = { 0, 1 },
    [TM_EPSILON] = { 0, 1 },
};

struct tm_entry {
    enum tm_basic basic;
    ptrdiff_t disp;
};

/* All but the entries is computed by tm_done. The entries belong to the map: tm_free. */
struct typemap {
    struct tm_entry *entry;
    size_t entries, room;
    size_t size, elements; /* bytes of data; entries that are not markers */
    ptrdiff_t lb, ub, true_lb, true_ub;
    int align;
    bool marked; /* has a ub_marker */
};

static inline ptrdiff_t tm_extent(const struct typemap *m) { return m->ub - m->lb; }

static inline void tm_free(struct typemap *m)
{
    free(m->entry);
    *m = (struct typemap) { 0 };
}

static inline void tm_put(struct typemap *m, enum tm_basic basic, ptrdiff_t disp)
{
    if (m->entries == m->room) {
        m->room = m->room ? 2 * m->room : 16;
        m->entry = realloc(m->entry, m->room * sizeof *m->entry);
        if (!m->entry)
            abort();
    }
    m->entry[m->entries++] = (struct tm_entry) { basic, disp };
}

static inline void tm_widen(bool *any, ptrdiff_t *low, ptrdiff_t *high, ptrdiff_t from,
                            ptrdiff_t to)
{
    if (!*any || from < *low)
        *low = from;
    if (!*any || to > *high)
        *high = to;
    *any = true;
}

/* Computes bounds, size and alignment of the entries. A map without entries is empty and at 0. */
static inline struct typemap tm_done(struct typemap m)
{
    bool data = false, soft = false, low = false, high = false;
    ptrdiff_t soft_lb = 0, soft_ub = 0, lb = 0, ub = 0, unused = 0;

    m.size = m.elements = 0;
    m.true_lb = m.true_ub = 0;
    m.align = 1;
    for (size_t i = 0; i < m.entries; i++) {
        enum tm_basic b = m.entry[i].basic;
        ptrdiff_t at = m.entry[i].disp, end = at + tm_basics[b].size;

        if (b == TM_LB_MARKER) {
            tm_widen(&low, &lb, &unused, at, at);
        } else if (b == TM_UB_MARKER) {
            tm_widen(&high, &unused, &ub, at, at);
        } else {
            tm_widen(&soft, &soft_lb, &soft_ub, at, end);
        }
        if (b >= TM_BASICS)
            continue;
        tm_widen(&data, &m.true_lb, &m.true_ub, at, end);
        m.size += (size_t) tm_basics[b].size;
        m.elements++;
        if (tm_basics[b].align > m.align)
            m.align = tm_basics[b].align;
    }
    m.lb = low ? lb : soft_lb;
    m.ub = high ? ub : soft_ub;
    m.marked = high;
    return m;
}

static inline struct typemap tm_basic(enum tm_basic basic)
{
    struct typemap m = { 0 };

    tm_put(&m, basic, 0);
    return tm_done(m);
}

static inline void tm_add(struct typemap *m, int copies, ptrdiff_t disp, const struct typemap *old)
{
    for (int k = 0; k < copies; k++)
        for (size_t i = 0; i < old->entries; i++)
            tm_put(m, old->entry[i].basic, disp + k * tm_extent(old) + old->entry[i].disp);
}

static inline struct typemap tm_dup(const struct typemap *old)
{
    struct typemap m = { 0 };

    tm_add(&m, 1, 0, old);
    return tm_done(m);
}

static inline struct typemap tm_hvector(int count, int blocklength, ptrdiff_t stride,
                                        const struct typemap *old)
{
    struct typemap m = { 0 };

    for (int i = 0; i < count; i++)
        tm_add(&m, blocklength, i * stride, old);
    return tm_done(m);
}

static inline struct typemap tm_contiguous(int count, const struct typemap *old)
{
    return tm_hvector(1, count, 0, old);
}

static inline struct typemap tm_hindexed(int count, const int *blocklength, const ptrdiff_t *disp,
                                         const struct typemap *old)
{
    struct typemap m = { 0 };

    for (int i = 0; i < count; i++)
        tm_add(&m, blocklength[i], disp[i], old);
    return tm_done(m);
}

static inline struct typemap tm_struct(int count, const int *blocklength, const ptrdiff_t *disp,
                                       const struct typemap *old)
{
    struct typemap m = { 0 };

    for (int i = 0; i < count; i++)
        tm_add(&m, blocklength[i], disp[i], &old[i]);
    m = tm_done(m);
    if (!m.marked && m.elements > 0 && tm_extent(&m) % m.align != 0) {
        tm_put(&m, TM_EPSILON, m.ub + m.align - tm_extent(&m) % m.align);
        m = tm_done(m);
    }
    return m;
}

/* MPI_SHORT_INT and so on: as struct { a; int } (5.9.4). */
static inline struct typemap tm_pair(enum tm_basic a)
{
    struct typemap member[] = { tm_basic(a), tm_basic(TM_INT) }, m;
    ptrdiff_t align = _Alignof(int), end = tm_basics[a].size;

    m = tm_struct(2, (int[]) { 1, 1 }, (ptrdiff_t[]) { 0, (end + align - 1) / align * align },
                  member);
    tm_free(&member[0]);
    tm_free(&member[1]);
    return m;
}

/* The entries without markers and epsilon. */
static inline struct typemap tm_bare(const struct typemap *old)
{
    struct typemap m = { 0 };

    for (size_t i = 0; i < old->entries; i++)
        if (old->entry[i].basic < TM_BASICS)
            tm_put(&m, old->entry[i].basic, old->entry[i].disp);
    return m;
}

static inline struct typemap tm_resized(const struct typemap *old, ptrdiff_t lb, ptrdiff_t extent)
{
    struct typemap m = tm_bare(old);

    tm_put(&m, TM_LB_MARKER, lb);
    tm_put(&m, TM_UB_MARKER, lb + extent);
    return tm_done(m);
}

/* One dimension of a distributed array: its blocks go in turn to procs processes, of which this one
 * is number at. */
struct tm_cyclic {
    int size, block, procs, at;
};

/* The entries of old, repeated size times, that are in a subarray (sub >= 0) or in a distributed
 * array. */
static inline struct typemap tm_dimension(struct tm_cyclic c, int start, int sub,
                                          const struct typemap *old)
{
    struct typemap bare = tm_done(tm_bare(old)), m = { 0 };
    ptrdiff_t ex = tm_extent(old);

    for (int i = 0; i < c.size; i++)
        if (sub >= 0 ? i >= start && i < start + sub : i / c.block % c.procs == c.at)
            tm_add(&m, 1, i * ex, &bare);
    tm_free(&bare);
    tm_put(&m, TM_LB_MARKER, 0);
    tm_put(&m, TM_UB_MARKER, c.size * ex);
    return tm_done(m);
}

/* Replaces m by the map that is made of it, and returns that. */
static inline struct typemap tm_replace(struct typemap *m, struct typemap by)
{
    tm_free(m);
    return *m = by;
}

static inline struct typemap tm_subarray(int dims, const int *sizes, const int *subsizes,
                                         const int *starts, bool order_c, const struct typemap *old)
{
    struct typemap m = tm_dup(old);

    for (int k = 0; k < dims; k++) {
        int d = order_c ? dims - 1 - k : k;

        tm_replace(
            &m, tm_dimension((struct tm_cyclic) { .size = sizes[d] }, starts[d], subsizes[d], &m));
    }
    return m;
}

/* dim: size, block (the darg after the reductions of 4.1.4) and procs of each dimension. */
static inline struct typemap tm_darray(int rank, int dims, const struct tm_cyclic *dim,
                                       bool order_c, const struct typemap *old)
{
    struct typemap m = tm_dup(old);
    int place[16], t_size = 1;

    for (int d = 0; d < dims; d++)
        t_size *= dim[d].procs;
    for (int d = 0; d < dims; d++) { /* processes are in row-major order whatever the array's is */
        t_size /= dim[d].procs;
        place[d] = rank / t_size;
        rank %= t_size;
    }
    for (int k = 0; k < dims; k++) {
        int d = order_c ? dims - 1 - k : k;
        struct tm_cyclic c = dim[d];

        c.at = place[d];
        tm_replace(&m, tm_dimension(c, 0, -1, &m));
    }
    return m;
}

/* ---- memory that count elements describe ---- */

/* From the first byte to the one after the last that count elements touch, relative to the
 * buffer. */
static inline void tm_span(const struct typemap *m, int count, ptrdiff_t *low, ptrdiff_t *high)
{
    ptrdiff_t last = count > 0 ? (count - 1) * tm_extent(m) : 0;

    *low = m->true_lb + (last < 0 ? last : 0);
    *high = m->true_ub + (last > 0 ? last : 0);
    if (count == 0 || m->elements == 0)
        *low = *high = 0;
}

/* Calls f for each basic element of count elements, in order: its number, place and length. */
typedef void tm_visit(void *at, size_t offset, int len, void *arg);

static inline void tm_each(const struct typemap *m, void *buf, int count, tm_visit *f, void *arg)
{
    size_t offset = 0;

    for (int k = 0; k < count; k++)
        for (size_t i = 0; i < m->entries; i++) {
            int len = tm_basics[m->entry[i].basic].size;

            if (len > 0)
                f((char *) buf + k * tm_extent(m) + m->entry[i].disp, offset, len, arg);
            offset += (size_t) len;
        }
}

static inline void tm_pack_one(void *at, size_t offset, int len, void *packed)
{
    memcpy((char *) packed + offset, at, (size_t) len);
}

static inline void tm_pack(const struct typemap *m, const void *buf, int count, void *packed)
{
    tm_each(m, (void *) buf, count, tm_pack_one, packed);
}

struct tm_packed {
    const char *bytes;
    size_t len;
};

static inline void tm_unpack_one(void *at, size_t offset, int len, void *arg)
{
    const struct tm_packed *p = arg;

    if (offset + (size_t) len <= p->len)
        memcpy(at, p->bytes + offset, (size_t) len);
}

/* Counts whole basic elements only: a message never ends within one. */
static inline void tm_unpack(const struct typemap *m, void *buf, int count, const void *packed,
                             size_t len)
{
    struct tm_packed p = { packed, len };

    tm_each(m, buf, count, tm_unpack_one, &p);
}

struct tm_taken {
    char *map, *base;
    bool twice;
};

static inline void tm_take_one(void *at, size_t offset, int len, void *arg)
{
    struct tm_taken *t = arg;

    (void) offset;
    for (int i = 0; i < len; i++)
        t->twice |= ((char *) at)[i]++ != 0;
}

/* Whether some byte belongs to two entries of count elements: such a type cannot be received
 * into. */
static inline bool tm_overlaps(const struct typemap *m, int count)
{
    struct tm_taken t = { 0 };
    ptrdiff_t low, high;

    tm_span(m, count, &low, &high);
    t.map = calloc((size_t) (high - low) + 1, 1);
    if (!t.map)
        abort();
    tm_each(m, t.map - low, count, tm_take_one, &t);
    free(t.map);
    return t.twice;
}

#endif /* TYPEMAP_H */
