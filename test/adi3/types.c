/* types.c — random types of all constructors against their type maps, written out by the loops of
 * the standard: bounds, packing, elements in bytes (D02, D03, D04, D05). */
#include <stdlib.h>
#include <string.h>
#include "adi3.h"
#include "unit.h"

enum { ENTRIES = 2500, LIST = 6, DIMS = 4, DEPTH = 4, COUNT = 2, ROUNDS = 4000 };
enum { MEMORY = 1 << 17, BASE = MEMORY / 2 };

/* A type and its type map; a pair is two entries. */
struct model {
    struct adi3_type *t;
    int n;
    struct {
        MPI_Aint at;
        int len;
    } entry[ENTRIES];
    MPI_Aint lb, ub, align;
    bool any_lb, any_ub, lb_marked, ub_marked;
    bool full; /* it would have more entries, or reach too far */
};

static struct model now, next, other;
static char from[MEMORY], to[MEMORY], packed[MEMORY], wanted[MEMORY];

static int below(int n) { return (int) unit_random(n); }

/* ---- type maps ------------------------------------------------------------------------------- */

static void begin_empty(struct model *m) { *m = (struct model) { .t = m->t, .align = 1 }; }

static void reach(MPI_Aint *bound, bool *any, bool *marked, bool marks, MPI_Aint to_, int sign)
{
    if (*marked && !marks)
        return;
    if (!*any || (marks && !*marked) || sign * (to_ - *bound) > 0)
        *bound = to_;
    *any = true;
    *marked |= marks;
}

/* One more element of a type, at a displacement. */
static void copy(struct model *m, const struct model *old, MPI_Aint at)
{
    if (old->n || old->lb_marked)
        reach(&m->lb, &m->any_lb, &m->lb_marked, old->lb_marked, old->lb + at, -1);
    if (old->n || old->ub_marked)
        reach(&m->ub, &m->any_ub, &m->ub_marked, old->ub_marked, old->ub + at, 1);
    if (old->n && old->align > m->align)
        m->align = old->align;
    m->full |= m->n + old->n > ENTRIES || labs(m->lb) + labs(m->ub) > BASE / 8;
    for (int i = 0; i < old->n && !m->full; i++, m->n++) {
        m->entry[m->n] = old->entry[i];
        m->entry[m->n].at += at;
        m->full |= labs(m->entry[m->n].at) > BASE / 8;
    }
}

static void copies(struct model *m, const struct model *old, MPI_Aint at, int n)
{
    for (int i = 0; i < n; i++)
        copy(m, old, at + i * (old->ub - old->lb));
}

static struct adi3_type *type(MPI_Datatype h)
{
    struct adi3_type *t = adi3_type_builtin(h);

    return t ? t : adi3_get(&adi3_types, h);
}

static void begin(struct model *m)
{
    static const MPI_Datatype some[] = {
        MPI_CHAR,           MPI_SHORT,      MPI_INT,       MPI_DOUBLE, MPI_INT,
        MPI_FLOAT_INT,      MPI_DOUBLE_INT, MPI_SHORT_INT, MPI_DOUBLE, MPI_2INT,
        MPI_LONG_DOUBLE_INT
    };
    static const MPI_Datatype marker[] = { MPI_LB, MPI_UB };
    bool marks = below(12) == 0;

    begin_empty(m);
    m->t = type(marks ? marker[below(2)] : some[below(11)]);
    m->lb_marked = m->any_lb = m->t->handle == MPI_LB;
    m->ub_marked = m->any_ub = m->t->handle == MPI_UB;
    if (marks)
        return;
    m->ub = m->t->extent;
    m->align = m->t->align;
    m->n = m->t->class == ADI3_PAIR ? 2 : 1;
    m->entry[0].len = (int) m->t->size;
    if (m->n == 2) {
        m->entry[0].len -= (int) sizeof(int);
        m->entry[1].len = sizeof(int);
        m->entry[1].at = m->t->true_extent - (MPI_Aint) sizeof(int);
    }
}

/* ---- constructors ---------------------------------------------------------------------------- */

/* Each makes next, and its type, of now. */
static struct adi3_type *make(int combiner, const int *ints, int nints, const MPI_Aint *addrs,
                              int naddrs)
{
    struct adi3_type *made = NULL;
    struct adi3_type *types[LIST] = { now.t, now.t, other.t, now.t, other.t, other.t };
    int ntypes = combiner == MPI_COMBINER_STRUCT ? ints[0] : 1;
    const struct adi3_recipe r = { combiner, nints, naddrs, ntypes, ints, addrs, types };

    assert_int_equal(adi3_type_make(&r, &made), MPI_SUCCESS);
    return made;
}

static void strided(int which)
{
    const int ints[] = { below(5), below(4), below(9) - 4 };
    MPI_Aint extent = now.ub - now.lb, stride = below(3) ? below(99) - 40 : ints[1] * extent;

    if (which == MPI_COMBINER_VECTOR)
        stride = ints[2] * extent;
    if (which == MPI_COMBINER_CONTIGUOUS)
        copies(&next, &now, 0, ints[0]);
    for (int i = 0; which != MPI_COMBINER_CONTIGUOUS && i < ints[0]; i++)
        copies(&next, &now, i * stride, ints[1]);
    bool hvector = which == MPI_COMBINER_HVECTOR;
    if (!next.full)
        next.t =
            make(which, ints, which == MPI_COMBINER_VECTOR ? 3 : 1 + hvector, &stride, hvector);
}

static void listed(int which)
{
    int n = below(LIST + 1), ints[1 + 2 * LIST] = { n };
    bool block = which == MPI_COMBINER_INDEXED_BLOCK || which == MPI_COMBINER_HINDEXED_BLOCK;
    bool bytes = which != MPI_COMBINER_INDEXED && which != MPI_COMBINER_INDEXED_BLOCK;
    const struct model *old[LIST] = { &now, &now, &other, &now, &other, &other };
    MPI_Aint addrs[LIST], at = 0;
    int lens = 1, *displs = &ints[block ? 2 : 1 + n];

    for (int i = 0; i < (block ? 1 : n); i++)
        ints[lens + i] = below(4);
    for (int i = 0; i < n; i++) {
        const struct model *m = which == MPI_COMBINER_STRUCT ? old[i] : &now;
        int len = ints[lens + (block ? 0 : i)];
        addrs[i] = below(2) ? at : below(200) - 80; /* behind the last one, or anywhere */
        if (!bytes)
            addrs[i] = (displs[i] = below(16) - 6) * (m->ub - m->lb);
        copies(&next, m, addrs[i], len);
        at = addrs[i] + len * (m->ub - m->lb);
    }
    MPI_Aint over = (next.ub - next.lb) % next.align;
    if (which == MPI_COMBINER_STRUCT && !next.ub_marked && over > 0)
        next.ub += next.align - over;
    int nints = (block ? 2 : 1 + n) + (bytes ? 0 : n);
    if (!next.full)
        next.t = make(which, ints, nints, addrs, bytes ? n : 0);
}

static void same_places(int which)
{
    const MPI_Aint addrs[] = { below(40) - 20, below(60) - 10 };

    copy(&next, &now, 0);
    if (which == MPI_COMBINER_RESIZED) {
        next.lb = addrs[0];
        next.ub = addrs[0] + addrs[1];
        next.lb_marked = next.ub_marked = next.any_lb = next.any_ub = true;
    }
    if (!next.full)
        next.t = make(which, NULL, 0, addrs, which == MPI_COMBINER_RESIZED ? 2 : 0);
}

struct dim {
    int size, first, last;        /* of a subarray */
    int block, processes, number; /* of a darray */
};

/* All elements of the array in memory's order: those that belong to it are copied. */
static void copy_array(const struct dim dim[], int n, int order)
{
    int all = 1, index[DIMS] = { 0 };
    MPI_Aint extent = now.ub - now.lb;

    for (int i = 0; i < n; i++)
        all *= dim[i].size;
    for (int linear = 0; linear < all; linear++) {
        bool mine = true;
        for (int i = 0; i < n; i++)
            mine &= index[i] >= dim[i].first && index[i] <= dim[i].last
                    && index[i] / dim[i].block % dim[i].processes == dim[i].number;
        if (mine)
            copy(&next, &now, linear * extent);
        for (int k = 0; k < n; k++) {
            int i = order == MPI_ORDER_C ? n - 1 - k : k;
            if (++index[i] < dim[i].size)
                break;
            index[i] = 0;
        }
    }
    next.lb = 0;
    next.ub = all * extent;
    next.lb_marked = next.ub_marked = next.any_lb = next.any_ub = true;
}

static void subarray(int which)
{
    int n = 1 + below(DIMS), ints[2 + 3 * DIMS] = { n };
    struct dim dim[DIMS];

    for (int i = 0; i < n; i++) {
        int size = 1 + below(n > 2 ? 4 : 7), sub = 1 + below(size), start = below(size - sub + 1);
        ints[1 + i] = size, ints[1 + n + i] = sub, ints[1 + 2 * n + i] = start;
        dim[i] = (struct dim) { size, start, start + sub - 1, 1, 1, 0 };
    }
    ints[1 + 3 * n] = below(2) ? MPI_ORDER_C : MPI_ORDER_FORTRAN;
    copy_array(dim, n, ints[1 + 3 * n]);
    if (!next.full)
        next.t = make(which, ints, 2 + 3 * n, NULL, 0);
}

static void darray(int which)
{
    static const int some[] = { MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE };
    int n = 1 + below(DIMS), ints[4 + 4 * DIMS] = { 1, 0, n };
    int *sizes = ints + 3, *distribs = sizes + n, *dargs = distribs + n, *psizes = dargs + n;
    struct dim dim[DIMS];

    for (int i = 0; i < n; i++) {
        int size = sizes[i] = 1 + below(n > 2 ? 5 : 12);
        int processes = psizes[i] = 1 + below(3), least = (size + processes - 1) / processes;
        int d = distribs[i] = some[below(3)];
        dargs[i] = (d == MPI_DISTRIBUTE_BLOCK ? least : 1) + below(4);
        int block = d == MPI_DISTRIBUTE_NONE ? size : dargs[i];
        if (below(3) == 0) {
            dargs[i] = MPI_DISTRIBUTE_DFLT_DARG;
            block = d == MPI_DISTRIBUTE_BLOCK ? least : d == MPI_DISTRIBUTE_CYCLIC ? 1 : size;
        }
        dim[i] = (struct dim) { size, 0, size - 1, block, processes, below(processes) };
        ints[0] *= processes;
        ints[1] = ints[1] * processes + dim[i].number;
    }
    psizes[n] = below(2) ? MPI_ORDER_C : MPI_ORDER_FORTRAN;
    copy_array(dim, n, psizes[n]);
    if (!next.full)
        next.t = make(which, ints, 4 + 4 * n, NULL, 0);
}

/* One more constructor around now; false when that would be too large. */
static bool wrap(void)
{
    static const struct {
        int combiner;
        void (*build)(int);
    } way[] = {
        { MPI_COMBINER_CONTIGUOUS, strided },    { MPI_COMBINER_VECTOR, strided },
        { MPI_COMBINER_HVECTOR, strided },       { MPI_COMBINER_INDEXED, listed },
        { MPI_COMBINER_HINDEXED, listed },       { MPI_COMBINER_INDEXED_BLOCK, listed },
        { MPI_COMBINER_HINDEXED_BLOCK, listed }, { MPI_COMBINER_STRUCT, listed },
        { MPI_COMBINER_STRUCT, listed },         { MPI_COMBINER_RESIZED, same_places },
        { MPI_COMBINER_DUP, same_places },       { MPI_COMBINER_SUBARRAY, subarray },
        { MPI_COMBINER_DARRAY, darray },
    };
    int i = below(sizeof way / sizeof *way);

    begin(&other);
    begin_empty(&next);
    way[i].build(way[i].combiner);
    if (next.full)
        return false;
    adi3_type_release(now.t); /* what is made of it holds it */
    now = next;
    return true;
}

/* ---- checks ---------------------------------------------------------------------------------- */

static void check_bounds(const struct model *m)
{
    MPI_Aint low = PTRDIFF_MAX, high = PTRDIFF_MIN, size = 0;

    for (int i = 0; i < m->n; i++) {
        MPI_Aint at = m->entry[i].at, end = at + m->entry[i].len;
        low = at < low ? at : low;
        high = end > high ? end : high;
        size += m->entry[i].len;
    }
    assert_int_equal(m->t->size, size);
    assert_int_equal(m->t->elements, m->n);
    assert_int_equal(m->t->lb, m->any_lb ? m->lb : 0);
    assert_int_equal(m->t->extent, (m->any_ub ? m->ub : 0) - (m->any_lb ? m->lb : 0));
    assert_int_equal(m->t->true_lb, m->n ? low : 0);
    assert_int_equal(m->t->true_extent, m->n ? high - low : 0);
}

/* Also of every number of bytes in two of them, and of all numbers of elements. */
static void check_elements(const struct model *m)
{
    size_t at = 0, got;

    for (int i = 0; i < 2 * m->n; i++) {
        assert_true(adi3_type_bytes(m->t, (size_t) i, &got));
        assert_int_equal(got, at);
        for (int part = 0; part < m->entry[i % m->n].len; part++) {
            assert_int_equal(adi3_type_elements(m->t, at++, &got), part == 0);
            assert_int_equal(got, i);
        }
    }
    if (m->n == 0) {
        assert_true(adi3_type_bytes(m->t, 0, &got) && got == 0);
        assert_false(adi3_type_bytes(m->t, 1, &got));
        assert_false(adi3_type_elements(m->t, 1, &got));
    }
}

/* The bytes of COUNT of them in order, by the type map; true when none is there twice. */
static bool expect(const struct model *m, const char *memory)
{
    static char seen[MEMORY];
    bool once = true;
    size_t n = 0;

    memset(seen, 0, sizeof seen);
    for (int i = 0; i < COUNT * m->n; i++) {
        for (int b = 0; b < m->entry[i % m->n].len; b++) {
            MPI_Aint at = BASE + i / m->n * (m->ub - m->lb) + m->entry[i % m->n].at + b;
            once &= !seen[at];
            seen[at] = 1;
            wanted[n++] = memory[at];
        }
    }
    return once;
}

static void check_bytes(const struct model *m)
{
    const struct adi3_data out = { from + BASE, COUNT, m->t }, in = { to + BASE, COUNT, m->t };
    size_t all = COUNT * m->t->size, cut = all ? unit_random((int) all) : 0;
    struct iovec iov[7];

    bool once = expect(m, from);
    memset(packed, '#', all + 1);
    adi3_pack(&out, cut, packed + cut, all - cut);
    adi3_pack(&out, 0, packed, cut);
    assert_memory_equal(packed, wanted, all);
    assert_int_equal(packed[all], '#');
    for (size_t at = 0, before = 0; at < all; before = at) {
        int n = adi3_ranges(&out, &at, iov, 7);
        assert_true(n > 0);
        for (int i = 0; i < n; before += iov[i++].iov_len)
            assert_memory_equal(iov[i].iov_base, wanted + before, iov[i].iov_len);
    }
    if (!once)
        return;
    memset(to, '#', sizeof to);
    adi3_unpack(&in, cut, packed + cut, all - cut);
    adi3_unpack(&in, 0, packed, cut);
    expect(m, to);
    assert_memory_equal(packed, wanted, all);
    size_t written = 0;
    for (size_t i = 0; i < sizeof to; i++)
        written += to[i] != '#';
    assert_true(written <= all);
}

static void against_the_type_map(void **state)
{
    (void) state;
    for (size_t i = 0; i < sizeof from; i++)
        from[i] = (char) (i * 167 + i / 256 * 59 + i / 65536);
    for (int i = 0; i < ROUNDS; i++) {
        begin(&now);
        for (int depth = 1 + below(DEPTH); depth > 0 && wrap(); depth--)
            ;
        check_bounds(&now);
        check_elements(&now);
        assert_int_equal(adi3_type_commit(now.t), MPI_SUCCESS);
        check_bytes(&now);
        adi3_type_release(now.t);
    }
}

static int start(void **state)
{
    (void) state;
    return adi3_type_init();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(against_the_type_map),
    };

    return UNIT_RUN_BETWEEN(tests, start, NULL);
}
