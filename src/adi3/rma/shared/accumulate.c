/* accumulate.c — operations that combine elements in a window's memory, each element atomically.
 *
 * atomic.h says how an element is accessed. Runs of elements are combined where they are. Elements
 * with holes (pairs), and those of memory that only the kernel reaches, are gathered into a buffer,
 * combined, and scattered, under the stripes of all their bytes. */
#include <string.h>
#include "adi3/rma/shared/atomic.h"

enum {
    LONG_BYTES = 1 << 15, /* of one long operation: others wait so long */
    LONG_LEAST = 512,     /* elements of a run: worth the barrier before long operations, ... */
    IDLE_LEAST = 16,      /* ... or worth a long operation without a barrier */
    MANY = 1024,          /* elements of shorter runs together: worth the barrier, too */
    SINGLES = 512,        /* elements in one go: long operations wait so long */
    STRIPES_BYTES = 1024, /* under stripes at a time */
    GATHER_BYTES = 65536, /* in a buffer at a time: a call of the kernel has its price, ... */
    GATHER_HERE = 8192,   /* ... in memory that this process reaches itself, ... */
    GATHER_RANGES = 256,  /* ... from so many places */
    PAIRS = 64,           /* pairs with holes that are combined at a time */
    PAIR_BYTES = 32,      /* of one in memory, at most */
};

struct work { /* an operation on packed elements, from the next one on */
    const struct rma_place *place;
    const struct adi3_op *op;
    const struct adi3_type *basic;
    const char *packed; /* NULL: the operation has no operand */
    char *fetched;      /* NULL: not wanted */
};

static void work_advance(struct work *w, size_t len)
{
    if (w->packed)
        w->packed += len;
    if (w->fetched)
        w->fetched += len;
}

/* ---- combining, not atomically --------------------------------------------------------------- */

/* Pairs whose form in memory has holes, for which the kernels are made. */
static void combine_pairs(const struct work *w, char *packed_inout, size_t len)
{
    _Alignas(16) char x[PAIRS * PAIR_BYTES], y[PAIRS * PAIR_BYTES];
    struct adi3_type *t = (struct adi3_type *) (uintptr_t) w->basic;
    const char *in = w->packed;

    for (size_t n = len / t->size, some; n > 0; n -= some) {
        some = n < PAIRS ? n : PAIRS;
        size_t bytes = some * t->size;
        struct adi3_data from = { x, some, t }, to = { y, some, t };
        adi3_unpack(&from, 0, in, bytes);
        adi3_unpack(&to, 0, packed_inout, bytes);
        adi3_reduce(w->op, x, y, some, t);
        adi3_pack(&to, 0, packed_inout, bytes);
        in += bytes;
        packed_inout += bytes;
    }
}

/* Combines packed elements with others, which may be in place if they have no holes. */
static void work_combine(const struct work *w, char *inout, size_t len)
{
    if (w->fetched)
        memcpy(w->fetched, inout, len);
    if (w->op->handle == MPI_NO_OP)
        return;
    if (w->op->handle == MPI_REPLACE)
        memcpy(inout, w->packed, len);
    else if (w->basic->contig)
        adi3_reduce(w->op, w->packed, inout, len / w->basic->size, w->basic);
    else
        combine_pairs(w, inout, len);
}

/* ---- where the elements are ------------------------------------------------------------------ */

/* Nothing is shared, and this process holds the lock of ADI3. */
static bool is_alone(const struct rma_place *p) { return p->memory->count == 1; }

static uint64_t offset_of(const struct rma_place *p, const void *at)
{
    if (p->here && p->owner->offset)
        return (uint64_t) ((const char *) at - rma_mapped(p->memory, p->owner));
    return (uint64_t) (uintptr_t) at - p->owner->base;
}

static uint64_t stripes_of(const struct rma_place *p, const void *at, size_t len)
{
    return rma_stripes(p->owner, offset_of(p, at), len);
}

static size_t by_singles; /* elements of runs that a long operation would do faster */

/* Elements that only the plain kernel reaches at the speed of memory, and many enough. */
static bool is_long(const struct work *w, size_t n)
{
    if (n < IDLE_LEAST || adi3_node.fences)
        return false;
    if (atomic_load_explicit(&w->place->owner->longs, memory_order_relaxed) == RMA_LONGS)
        return true;
    if (w->op->handle == MPI_NO_OP || (w->op->handle == MPI_REPLACE && !w->fetched))
        return false;
    by_singles += n;
    if (n < LONG_LEAST && by_singles < MANY)
        return false;
    by_singles = 0;
    return true;
}

static int by_instructions(struct work *w, char *at, size_t len)
{
    const size_t size = w->basic->size;
    rma_elements *const run = rma_elements_for(w->op, w->basic);
    const struct rma_place *p = w->place;
    int err = MPI_SUCCESS;

    for (size_t some; len > 0 && !err; len -= some, at += some) {
        bool is = is_long(w, len / size);
        size_t most = is ? LONG_BYTES : SINGLES * size;
        some = len < most ? len : most;
        uint64_t set = is ? rma_pages(offset_of(p, at), some) : 0;
        err = is ? rma_long_begin(p, set) : rma_single_begin(p);
        if (err)
            break;
        if (is) {
            work_combine(w, at, some);
            rma_long_end(p, set);
        } else {
            run(at, w->packed, w->fetched, some / size, w->op, w->basic);
            rma_busy_end(p);
        }
        work_advance(w, some);
    }
    return err;
}

static int under_stripes(struct work *w, char *at, size_t len)
{
    const size_t most = STRIPES_BYTES / w->basic->size * w->basic->size;

    for (size_t some; len > 0; len -= some, at += some) {
        some = len < most ? len : most;
        uint64_t set = stripes_of(w->place, at, some);
        int err = rma_stripes_take(w->place, set);
        if (err)
            return err;
        work_combine(w, at, some);
        rma_stripes_release(w->place, set);
        work_advance(w, some);
    }
    return MPI_SUCCESS;
}

/* One run of elements without holes in memory that this process reaches. */
static int on_run(struct work *w, char *at, size_t len)
{
    if (is_alone(w->place)) {
        work_combine(w, at, len);
        work_advance(w, len);
        return MPI_SUCCESS;
    }
    if (rma_by_instructions(w->place, w->basic, at))
        return by_instructions(w, at, len);
    return under_stripes(w, at, len);
}

/* ---- gathering ------------------------------------------------------------------------------- */

static struct gathered {
    struct iovec v[GATHER_RANGES];
    int n;
    uint64_t stripes;
    char bytes[GATHER_BYTES];
} gathered; /* under the lock of ADI3; a thread's stack may be small */

/* Finds the ranges of whole elements from packed byte `at` on. Returns how many bytes they have, at
 * most `most`. */
static size_t element_ranges_find(const struct work *w, struct gathered *g,
                                  const struct adi3_data *target, size_t at, size_t most)
{
    size_t end = at, left, room = w->place->here ? GATHER_HERE : GATHER_BYTES;

    g->n = adi3_ranges(target, &end, g->v, GATHER_RANGES);
    most = most < room ? most : room;
    most = most < end - at ? most : end - at;
    most -= most % w->basic->size;
    g->stripes = 0;
    left = most;
    for (int i = 0; i < g->n; i++) {
        struct iovec *v = &g->v[i];
        if (v->iov_len > left)
            v->iov_len = left;
        if (!left) {
            g->n = i;
            break;
        }
        g->stripes |= stripes_of(w->place, v->iov_base, v->iov_len);
        left -= v->iov_len;
    }
    return most;
}

/* Moves the bytes from the ranges into the buffer, or back. */
static int gathered_move(const struct rma_place *p, struct gathered *g, size_t len, bool back)
{
    struct iovec v[GATHER_RANGES], mine = { g->bytes, len };
    struct os_iov here = { &mine, 1 }, there = { v, g->n };
    char *at = g->bytes;

    if (!p->here) {
        memcpy(v, g->v, (size_t) g->n * sizeof *v);
        int err = back ? os_cma_writev(p->owner->pid, here, there)
                       : os_cma_readv(p->owner->pid, here, there);
        return err ? rma_cma_error(p->owner, err) : MPI_SUCCESS;
    }
    for (int i = 0; i < g->n; at += g->v[i++].iov_len)
        memcpy(back ? g->v[i].iov_base : at, back ? at : g->v[i].iov_base, g->v[i].iov_len);
    return MPI_SUCCESS;
}

static int on_gathered(struct work *w, struct gathered *g, size_t len)
{
    const struct rma_place *p = w->place;
    bool reads = w->fetched || w->op->handle != MPI_REPLACE, locks = !is_alone(p);
    int err = locks ? rma_stripes_take(p, g->stripes) : MPI_SUCCESS;

    if (err)
        return err;
    if (reads)
        err = gathered_move(p, g, len, false);
    if (!err) {
        work_combine(w, g->bytes, len);
        if (w->op->handle != MPI_NO_OP)
            err = gathered_move(p, g, len, true);
    }
    if (locks)
        rma_stripes_release(p, g->stripes);
    work_advance(w, len);
    return err;
}

static int by_gathering(struct work *w, const struct adi3_data *target, size_t at, size_t len)
{
    int err = MPI_SUCCESS;

    assert(adi3_lock_held());
    for (size_t some; len > 0 && !err; len -= some, at += some) {
        some = element_ranges_find(w, &gathered, target, at, len);
        if (!some)
            return adi3_error(MPI_ERR_TYPE,
                              "an element of %s is in more than %d parts, or beyond the end",
                              w->basic->name, (int) GATHER_RANGES);
        err = on_gathered(w, &gathered, some);
    }
    return err;
}

/* ---- the walk -------------------------------------------------------------------------------- */

/* Runs that this process reaches. The rest is gathered when a run does not end with an element. */
static int on_runs(struct work *w, const struct adi3_data *target, size_t at, size_t len)
{
    struct iovec v[GATHER_RANGES];

    while (len > 0) {
        size_t end = at;
        int n = adi3_ranges(target, &end, v, GATHER_RANGES);
        for (int i = 0; i < n && len > 0; i++) {
            size_t some = v[i].iov_len < len ? v[i].iov_len : len;
            if (some % w->basic->size)
                return by_gathering(w, target, at, len);
            int err = on_run(w, v[i].iov_base, some);
            if (err)
                return err;
            at += some;
            len -= some;
        }
        if (n == 0)
            return by_gathering(w, target, at, len); /* an error */
    }
    return MPI_SUCCESS;
}

/* The same place, but reached as all shared memory is: the way of access decides nothing. */
static struct rma_place place_map_shared(const struct rma_place *p, void **buf)
{
    *buf = rma_mapped(p->memory, p->owner) + ((uintptr_t) *buf - (uintptr_t) p->owner->base);
    return (struct rma_place) { p->memory, p->owner, true };
}

/* Anything but one element by an instruction. */
__attribute__((noinline)) static int elements_accumulate(const struct rma_place *p,
                                                         const struct adi3_data *target,
                                                         const struct rma_packed *x,
                                                         const struct adi3_op *op)
{
    struct adi3_data there = *target;
    struct rma_place place = *p;
    struct work w = { &place, op, target->type->basic, x->packed, x->fetched };

    if (!p->here && p->owner->offset)
        place = place_map_shared(p, &there.buf);
    if (!w.basic->contig || !place.here)
        return by_gathering(&w, &there, x->at, x->len);
    return on_runs(&w, &there, x->at, x->len);
}

int rma_accumulate(const struct rma_place *p, const struct adi3_data *target,
                   const struct rma_packed *x, const struct adi3_op *op)
{
    const struct adi3_type *basic = target->type->basic;
    char *to = (char *) target->buf + x->at;

    if (target->type != basic || x->len != basic->size || !rma_by_instructions(p, basic, to))
        return elements_accumulate(p, target, x, op);
    int err = rma_single_begin(p);
    if (__builtin_expect(err, 0))
        return err;
    rma_elements_for(op, basic)(to, x->packed, x->fetched, 1, op, basic);
    rma_busy_end(p);
    return MPI_SUCCESS;
}

/* ---- compare and swap ------------------------------------------------------------------------ */

/* Under the stripes of the element. */
static int swap_plainly(const struct rma_place *p, void *at, const struct adi3_data *origin,
                        const void *compare, void *result)
{
    size_t len = origin->type->size;
    int err = MPI_SUCCESS;

    if (p->here)
        memcpy(result, at, len);
    else
        err = os_cma_read(p->owner->pid, result, at, len);
    if (err)
        return rma_cma_error(p->owner, err);
    if (memcmp(result, compare, len) != 0)
        return MPI_SUCCESS;
    if (p->here)
        memcpy(at, origin->buf, len);
    else
        err = os_cma_write(p->owner->pid, origin->buf, at, len);
    return err ? rma_cma_error(p->owner, err) : MPI_SUCCESS;
}

int rma_compare_swap(const struct rma_place *p, void *at, const struct adi3_type *t,
                     const void *origin, const void *compare, void *result)
{
    struct adi3_data data = { (void *) (uintptr_t) origin, 1, (struct adi3_type *) (uintptr_t) t };
    struct rma_place place = *p;

    if (!p->here && p->owner->offset)
        place = place_map_shared(p, &at);
    bool locks = !is_alone(p);
    if (locks && rma_by_instructions(&place, t, at)) {
        int err = rma_single_begin(&place);
        if (err)
            return err;
        rma_swap_element(at, t->size, origin, compare, result);
        rma_busy_end(&place);
        return MPI_SUCCESS;
    }
    uint64_t set = stripes_of(&place, at, t->size);
    int err = locks ? rma_stripes_take(&place, set) : MPI_SUCCESS;
    if (err)
        return err;
    err = swap_plainly(&place, at, &data, compare, result);
    if (locks)
        rma_stripes_release(&place, set);
    return err;
}
