/* random_type.h — random trees of type constructors, the same ones for the same seed. */
#ifndef RANDOM_TYPE_H
#define RANDOM_TYPE_H

#include <stdint.h>
#include "types.h"

enum { RANDOM_ENTRIES = 2000, RANDOM_SPAN = 400000, RANDOM_BLOCKS = 64 };

static struct {
    uint64_t state;
    bool apart;    /* blocks do not overlap, so that the type may be received into */
    bool oddities; /* valid by the standard, but wrong in MPICH 4.0 */
} dice;

/* A number from 0 to n - 1. */
static inline int roll(int n)
{
    dice.state ^= dice.state << 13;
    dice.state ^= dice.state >> 7;
    dice.state ^= dice.state << 17;
    return (int) ((dice.state * 0x2545f4914f6cdd1dull >> 33) % (unsigned) n);
}

/* Few, sometimes none or many; never so many that old times the number is too large. */
static inline int roll_count(int few, size_t old_entries)
{
    int most = old_entries ? (int) (RANDOM_ENTRIES / old_entries) : few, n = roll(few) + 1;

    if (roll(14) == 0)
        n = 0;
    else if (roll(20) == 0)
        n = roll(RANDOM_BLOCKS) + 1;
    return n < most ? n : most;
}

static inline ptrdiff_t up_to_multiple(ptrdiff_t n, ptrdiff_t of)
{
    return of > 0 ? (n + of - 1) / of * of : n;
}

/* The span of the bytes that copies elements touch, markers ignored: as tm_span, at least a
 * byte. */
static inline ptrdiff_t roll_length(const struct typemap *old, int copies, ptrdiff_t *low)
{
    ptrdiff_t high;

    tm_span(old, copies, low, &high);
    return high > *low ? high - *low : 1;
}

/* Places blocks in bytes, multiples of unit: in any order, with gaps, above and below 0. */
static inline void roll_places(int n, const int *length, const struct typemap *const *old,
                               ptrdiff_t unit, ptrdiff_t *disp)
{
    ptrdiff_t at = (roll(20) - 15) * unit, low;
    int order[RANDOM_BLOCKS];

    for (int i = 0; i < n; i++) {
        int j = roll(3) ? i : roll(i + 1);

        order[i] = i;
        order[i] = order[j];
        order[j] = i;
    }
    for (int i = 0; i < n; i++) {
        int b = order[i];

        if (dice.apart) {
            ptrdiff_t len = roll_length(old[b], length[b], &low);
            disp[b] = up_to_multiple(at - low + roll(3) * unit, unit);
            at = disp[b] + low + len;
        } else {
            disp[b] = (roll(40) - 15) * unit;
        }
    }
}

static inline ptrdiff_t roll_stride(int blocklength, const struct typemap *old, ptrdiff_t unit)
{
    ptrdiff_t low, len = roll_length(old, blocklength, &low);
    ptrdiff_t stride = up_to_multiple(len, unit) + roll(3) * unit;

    if (!dice.apart)
        stride = roll(12) * unit;
    return roll(4) ? stride : -stride;
}

/* The unit of displacements that count in extents. */
static inline ptrdiff_t roll_unit(const struct typed *old)
{
    ptrdiff_t ex = tm_extent(&old->map);

    return ex < 0 ? -ex : ex;
}

/* MPICH 4 cannot cut a message within a pair, and copies the 10 bytes of a long double that are its
 * value, which is the last basic type. */
static struct typed random_leaf(void)
{
    if (!dice.oddities)
        return typed_basic((enum tm_basic) roll(TYPED_BASICS - 1));
    return roll(8) ? typed_basic((enum tm_basic) roll(TYPED_BASICS))
                   : typed_pair(roll(TYPED_PAIRS));
}

static struct typed random_contiguous(struct typed old)
{
    return typed_contiguous(roll_count(5, old.map.entries), old);
}

static struct typed random_vector(struct typed old)
{
    int length = roll_count(4, old.map.entries), unit = (int) roll_unit(&old);
    int count = roll_count(5, old.map.entries * (size_t) length);
    ptrdiff_t stride = roll_stride(length, &old.map, unit);

    return typed_vector(count, length, unit ? (int) (stride / unit) : 3, old);
}

static struct typed random_hvector(struct typed old)
{
    int length = roll_count(4, old.map.entries);
    int count = roll_count(5, old.map.entries * (size_t) length);
    ptrdiff_t unit = roll(2) ? old.map.align : 1;

    return typed_hvector(count, length, roll_stride(length, &old.map, unit), old);
}

struct blocks {
    int count, length[RANDOM_BLOCKS], index[RANDOM_BLOCKS];
    ptrdiff_t disp[RANDOM_BLOCKS];
};

/* Blocks of old, as many as fit, all of the same length or with different ones; unit as above. */
static inline struct blocks random_blocks(const struct typed *old, bool same, ptrdiff_t unit)
{
    const struct typemap *map[RANDOM_BLOCKS];
    struct blocks b = { .count = roll_count(6, old->map.entries) };
    size_t room = b.count ? old->map.entries * (size_t) b.count : 1;
    ptrdiff_t ex = tm_extent(&old->map);
    int length = roll_count(4, room);

    for (int i = 0; i < b.count; i++) {
        b.length[i] = same ? length : roll_count(4, room);
        map[i] = &old->map;
    }
    roll_places(b.count, b.length, map, unit, b.disp);
    for (int i = 0; i < b.count; i++)
        b.index[i] = ex ? (int) (b.disp[i] / ex) : roll(9) - 4;
    return b;
}

static struct typed random_indexed(struct typed old)
{
    struct blocks b = random_blocks(&old, false, roll_unit(&old));

    return typed_indexed(b.count, b.length, b.index, old);
}

static struct typed random_hindexed(struct typed old)
{
    struct blocks b = random_blocks(&old, false, roll(2) ? old.map.align : 1);

    return typed_hindexed(b.count, b.length, b.disp, old);
}

static struct typed random_indexed_block(struct typed old)
{
    struct blocks b = random_blocks(&old, true, roll_unit(&old));

    return typed_indexed_block(b.count, b.count ? b.length[0] : 2, b.index, old);
}

static struct typed random_hindexed_block(struct typed old)
{
    struct blocks b = random_blocks(&old, true, roll(2) ? old.map.align : 1);

    return typed_hindexed_block(b.count, b.count ? b.length[0] : 2, b.disp, old);
}

static struct typed random_subarray(struct typed old)
{
    struct typed_window w;
    int dims = roll(4) + 1;

    for (int d = 0; d < dims; d++) {
        w.sizes[d] = roll(5) + 1;
        w.subsizes[d] = roll(w.sizes[d]) + 1;
        w.starts[d] = roll(w.sizes[d] - w.subsizes[d] + 1);
    }
    return typed_subarray(dims, &w, roll(2) ? MPI_ORDER_C : MPI_ORDER_FORTRAN, old);
}

static struct typed random_darray(struct typed old)
{
    static const int distribs[] = { MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC,
                                    MPI_DISTRIBUTE_NONE };
    struct typed_grid g;
    int dims = roll(3) + 1, size = 1;

    if (!dice.oddities && (old.map.lb != 0 || old.map.true_lb != 0)) {
        typed_free(&old); /* MPICH 4 takes its bounds for 0 */
        old = random_leaf();
    }
    for (int d = 0; d < dims; d++) {
        g.gsizes[d] = roll(8) + 1;
        g.distribs[d] = distribs[roll(3)];
        g.psizes[d] = g.distribs[d] == MPI_DISTRIBUTE_NONE ? 1 : roll(3) + 1;
        g.dargs[d] = MPI_DISTRIBUTE_DFLT_DARG;
        if (roll(2) && g.distribs[d] == MPI_DISTRIBUTE_BLOCK)
            g.dargs[d] = (g.gsizes[d] + g.psizes[d] - 1) / g.psizes[d] + roll(3);
        else if (roll(2) && g.distribs[d] == MPI_DISTRIBUTE_CYCLIC)
            g.dargs[d] = roll(3) % g.gsizes[d] + 1; /* MPICH 4 takes no longer blocks */
        size *= g.psizes[d];
    }
    return typed_darray(roll(size), dims, &g, roll(2) ? MPI_ORDER_C : MPI_ORDER_FORTRAN, old);
}

static struct typed random_resized(struct typed old)
{
    ptrdiff_t len = old.map.true_ub - old.map.true_lb, extent = len + roll(12);

    if (roll(4) == 0)
        extent = roll(16); /* elements interleave, or all lie at one place */
    else if (roll(6) == 0 && dice.oddities)
        extent = -extent;
    return typed_resized(roll(2) ? old.map.true_lb : roll(30) - 15, extent, old);
}

static struct typed random_dup(struct typed old) { return typed_dup(old); }

static struct typed random_type(int depth);

/* A type to make others of. MPICH 4 counts empty types in the bounds of these. */
static struct typed random_old(int depth)
{
    struct typed t = random_type(depth);

    if (t.map.elements > 0 || dice.oddities)
        return t;
    typed_free(&t);
    return random_leaf();
}

/* MPICH 4 takes a ub_marker for the end of data, and adds no epsilon to a struct of one basic type:
 * the bounds of structs must be set anew. */
static struct typed random_struct(int depth)
{
    struct typed member[6];
    const struct typemap *map[6] = { NULL };
    int length[6] = { 0 }, count = roll(14) ? roll(5) + 1 : 0;
    ptrdiff_t disp[6];

    for (int i = 0; i < count; i++) {
        member[i] = random_old(depth);
        map[i] = &member[i].map;
        length[i] = roll_count(3, member[i].map.entries * (size_t) count);
    }
    roll_places(count, length, map, roll(3) ? 8 : 1, disp);
    struct typed t = typed_struct(count, length, disp, member);
    return dice.oddities ? t : random_resized(t);
}

/* Whether what has been made so far is small enough to go on with. */
static inline bool random_fits(const struct typed *t)
{
    return t->map.entries <= RANDOM_ENTRIES && labs(t->map.lb) < RANDOM_SPAN
           && labs(t->map.ub) < RANDOM_SPAN && labs(t->map.true_lb) < RANDOM_SPAN
           && labs(t->map.true_ub) < RANDOM_SPAN;
}

/* At most depth constructors deep; not committed. */
static struct typed random_type(int depth)
{
    static struct typed (*const make[])(struct typed old) = {
        random_contiguous,     random_vector,        random_hvector,  random_indexed,
        random_hindexed,       random_indexed_block, random_subarray, random_darray,
        random_hindexed_block, random_resized,       random_dup,
    };
    enum { MAKERS = sizeof make / sizeof *make };
    struct typed t;

    if (depth == 0 || roll(8) == 0)
        return random_leaf();
    int which = roll(MAKERS + 2);
    t = which < MAKERS ? make[which](random_old(depth - 1)) : random_struct(depth - 1);
    if (random_fits(&t))
        return t;
    typed_free(&t);
    return random_leaf();
}

#endif /* RANDOM_TYPE_H */
