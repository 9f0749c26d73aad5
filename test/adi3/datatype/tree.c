/* tree.c — random types of all constructors, and what they are by the loops of the standard. */
#include <stdlib.h>
#include <string.h>
#include "tree.h"
#include "unit.h"

enum { LIST = 6, DIMS = 4, DEPTH = 4 };

static struct tree now, next, other;

static int below(int n) { return (int) unit_random(n); }

/* ---- type maps ------------------------------------------------------------------------------- */

static void begin_empty(struct tree *m) { *m = (struct tree) { .t = m->t, .align = 1 }; }

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
static void copy(struct tree *m, const struct tree *old, MPI_Aint at)
{
    if (old->n || old->lb_marked)
        reach(&m->lb, &m->any_lb, &m->lb_marked, old->lb_marked, old->lb + at, -1);
    if (old->n || old->ub_marked)
        reach(&m->ub, &m->any_ub, &m->ub_marked, old->ub_marked, old->ub + at, 1);
    if (old->n && old->align > m->align)
        m->align = old->align;
    m->full |= m->n + old->n > TREE_ENTRIES || labs(m->lb) + labs(m->ub) > TREE_BASE / 8;
    for (int i = 0; i < old->n && !m->full; i++, m->n++) {
        m->entry[m->n] = old->entry[i];
        m->entry[m->n].at += at;
        m->full |= labs(m->entry[m->n].at) > TREE_BASE / 8;
    }
}

static void copies(struct tree *m, const struct tree *old, MPI_Aint at, int n)
{
    for (int i = 0; i < n; i++)
        copy(m, old, at + i * (old->ub - old->lb));
}

static struct adi3_type *type(MPI_Datatype h)
{
    struct adi3_type *t = adi3_type_builtin(h);

    return t ? t : adi3_get(&adi3_types, h);
}

static void begin(struct tree *m)
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
    const struct adi3_contents r = { .combiner = combiner,
                                     .nints = nints,
                                     .naddrs = naddrs,
                                     .ntypes = ntypes,
                                     .ints = ints,
                                     .addrs = addrs,
                                     .types = types };

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
    const struct tree *old[LIST] = { &now, &now, &other, &now, &other, &other };
    MPI_Aint addrs[LIST], at = 0;
    int lens = 1, *displs = &ints[block ? 2 : 1 + n];

    for (int i = 0; i < (block ? 1 : n); i++)
        ints[lens + i] = below(4);
    for (int i = 0; i < n; i++) {
        const struct tree *m = which == MPI_COMBINER_STRUCT ? old[i] : &now;
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

/* ---- for all --------------------------------------------------------------------------------- */

const struct tree *tree_next(void)
{
    begin(&now);
    for (int depth = 1 + below(DEPTH); depth > 0 && wrap(); depth--)
        ;
    return &now;
}

bool tree_bytes(const struct tree *m, const char *memory, char *bytes)
{
    static char seen[TREE_MEMORY];
    bool once = true;
    size_t n = 0;

    memset(seen, 0, sizeof seen);
    for (int i = 0; i < TREE_COUNT * m->n; i++) {
        for (int b = 0; b < m->entry[i % m->n].len; b++) {
            MPI_Aint at = TREE_BASE + i / m->n * (m->ub - m->lb) + m->entry[i % m->n].at + b;
            once &= !seen[at];
            seen[at] = 1;
            bytes[n++] = memory[at];
        }
    }
    return once;
}
