/* atomic.c — how atomic operations exclude each other: single and long operations, stripes.
 *
 * atomic.h explains it. */
#include "adi3/rma/shared/atomic.h"

enum {
    STRIPE_BYTES = 256, /* consecutive bytes of a stripe, ... */
    PAGE_BYTES = 4096,  /* ... of long operations, and in memory that is not shared, of which much
                         * is gathered at a time */
};

static bool word_compare_swap(_Atomic uint32_t *word, uint32_t from, uint32_t to)
{
    return atomic_compare_exchange_strong_explicit(word, &from, to, memory_order_seq_cst,
                                                   memory_order_relaxed);
}

/* ---- single and long operations -------------------------------------------------------------- */

/* longs is this process's: waits for operations of a kind that began before. */
static int operations_drain(const struct rma_place *p, enum rma_busy kind)
{
    const struct rma_memory *m = p->memory;
    int err = MPI_SUCCESS;

    if (kind == RMA_BUSY_SINGLE)
        os_membarrier();
    else
        atomic_thread_fence(memory_order_seq_cst);
    for (int i = 0; i < m->count && !err; i++)
        if (i != m->me)
            err = rma_wait_word(m, &m->control[i].busy, kind, (uint32_t) i);
    return err;
}

/* longs is this process's and becomes `mode`, or again what it was. When others see that, this
 * process is busy already: so its operation is not put off once more. */
static int longs_change(const struct rma_place *p, uint32_t was, uint32_t mode, enum rma_busy kind)
{
    int err = operations_drain(p, kind == RMA_BUSY_SINGLE ? RMA_BUSY_LONG : RMA_BUSY_SINGLE);

    if (!err)
        atomic_store_explicit(&p->memory->control[p->memory->me].busy, kind, memory_order_relaxed);
    atomic_store_explicit(&p->owner->longs, err ? was : mode, memory_order_release);
    return err;
}

int rma_busy_begin(const struct rma_place *p, enum rma_busy kind)
{
    const struct rma_memory *m = p->memory;
    const uint32_t mode = kind == RMA_BUSY_SINGLE ? 0 : RMA_LONGS;
    _Atomic uint32_t *busy = &m->control[m->me].busy, *longs = &p->owner->longs;

    for (;;) {
        int err = MPI_SUCCESS;
        atomic_store_explicit(busy, kind, memory_order_relaxed);
        atomic_thread_fence(memory_order_seq_cst);
        uint32_t now = atomic_load_explicit(longs, memory_order_acquire);
        if (now == mode)
            return MPI_SUCCESS;
        atomic_store_explicit(busy, RMA_BUSY_NOT, memory_order_release);
        if (now && now != RMA_LONGS)
            err = rma_wait_word(m, longs, now, now - 1);
        else if (word_compare_swap(longs, now, (uint32_t) m->me + 1))
            return longs_change(p, now, mode, kind);
        if (err)
            return err;
    }
}

int rma_long_begin(const struct rma_place *p, uint64_t set)
{
    int err = rma_busy_begin(p, RMA_BUSY_LONG);

    if (err)
        return err;
    err = rma_stripes_take(p, set);
    if (err)
        rma_busy_end(p);
    return err;
}

void rma_long_end(const struct rma_place *p, uint64_t set)
{
    rma_stripes_release(p, set);
    rma_busy_end(p);
}

/* ---- stripes --------------------------------------------------------------------------------- */

static uint64_t set_of(uint64_t bytes, uint64_t offset, size_t len)
{
    uint64_t first = offset / bytes, n = (offset + len - 1) / bytes - first + 1;
    unsigned by = first % RMA_STRIPES;

    if (n >= RMA_STRIPES)
        return UINT64_MAX;
    uint64_t set = ((uint64_t) 1 << n) - 1;
    return by ? set << by | set >> (RMA_STRIPES - by) : set;
}

uint64_t rma_stripes(const struct rma_control *owner, uint64_t offset, size_t len)
{
    return set_of(owner->offset ? STRIPE_BYTES : PAGE_BYTES, offset, len);
}

uint64_t rma_pages(uint64_t offset, size_t len) { return set_of(PAGE_BYTES, offset, len); }

/* Says which stripes this process is about to have: before it takes them, so that it does not die
 * with stripes that no process is known to have. */
static void stripes_announce(const struct rma_place *p, uint64_t set)
{
    struct rma_control *own = &p->memory->control[p->memory->me];

    atomic_store_explicit(&own->holds_of, (uint32_t) (p->owner - p->memory->control),
                          memory_order_relaxed);
    atomic_store_explicit(&own->holds, set, memory_order_release);
}

/* Takes a set of free stripes. Sets *seen to what others have, if that is not what it was. */
static bool stripes_change(const struct rma_place *p, uint64_t *seen, uint64_t set)
{
    return atomic_compare_exchange_strong_explicit(&p->owner->stripes, seen, *seen | set,
                                                   memory_order_acq_rel, memory_order_relaxed);
}

/* Takes stripes in the order of their numbers, so that two processes never wait for each other: all
 * that are before the first one that another process has, and then waits for that one with those.
 * So a process with many stripes is not passed for ever by others with few. */
__attribute__((noinline)) static int take_in_turn(const struct rma_place *p, uint64_t set,
                                                  uint64_t seen)
{
    uint64_t own = 0;

    while (own != set) {
        uint64_t left = set & ~own, taken = left & seen, first = taken & -taken;
        uint64_t next = left & (first - 1);
        stripes_announce(p, own | next);
        if (next) {
            if (!stripes_change(p, &seen, next))
                continue;
            own |= next;
            seen |= next;
            continue;
        }
        int err = rma_wait_stripe(p->memory, p->owner, first);
        if (err) {
            rma_stripes_release(p, own);
            return err;
        }
        seen = atomic_load_explicit(&p->owner->stripes, memory_order_relaxed);
    }
    return MPI_SUCCESS;
}

int rma_stripes_take(const struct rma_place *p, uint64_t set)
{
    uint64_t seen = 0;

    stripes_announce(p, set);
    return __builtin_expect(stripes_change(p, &seen, set), 1) ? MPI_SUCCESS
                                                              : take_in_turn(p, set, seen);
}

void rma_stripes_release(const struct rma_place *p, uint64_t set)
{
    atomic_fetch_and_explicit(&p->owner->stripes, ~set, memory_order_release);
    atomic_store_explicit(&p->memory->control[p->memory->me].holds, 0, memory_order_release);
}
