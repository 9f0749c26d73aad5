/* atomic.c — how atomic operations exclude each other: single and long operations, stripes.
 *
 * atomic.h explains it. */
#include "adi3/rma/shared/atomic.h"

enum {
    STRIPE_BYTES = 256, /* consecutive bytes of a stripe, ... */
    PAGE_BYTES = 4096,  /* ... of long operations, and in memory that is not shared, of which much
                         * is gathered at a time */
    WORDS_OF_LINE = 16,
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

/* The words of consecutive stripes are in different cache lines. */
static _Atomic uint32_t *word_of(const struct rma_place *p, int stripe)
{
    enum { LINES = RMA_STRIPES / WORDS_OF_LINE };

    return &p->owner->stripe[stripe % LINES * WORDS_OF_LINE + stripe / LINES];
}

static int take_stripe(const struct rma_place *p, _Atomic uint32_t *stripe)
{
    int err = MPI_SUCCESS;

    while (!err) {
        uint32_t free = 0;
        if (atomic_compare_exchange_strong_explicit(stripe, &free, (uint32_t) p->memory->me + 1,
                                                    memory_order_acquire, memory_order_relaxed))
            return MPI_SUCCESS;
        err = rma_wait_word(p->memory, stripe, free, free - 1);
    }
    return err;
}

/* In the order of their numbers: so two processes never wait for each other. */
int rma_stripes_take(const struct rma_place *p, uint64_t set)
{
    for (uint64_t left = set; left; left &= left - 1) {
        int err = take_stripe(p, word_of(p, __builtin_ctzll(left)));
        if (err) {
            rma_stripes_release(p, set & ((left & -left) - 1));
            return err;
        }
    }
    return MPI_SUCCESS;
}

void rma_stripes_release(const struct rma_place *p, uint64_t set)
{
    for (; set; set &= set - 1)
        atomic_store_explicit(word_of(p, __builtin_ctzll(set)), 0, memory_order_release);
}
