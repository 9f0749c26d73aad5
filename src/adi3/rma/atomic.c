/* atomic.c — how atomic operations exclude each other: waits, single and long operations, stripes.
 *
 * atomic.h explains it. Every wait ends when the process that it is for has died. */
#include <string.h>
#include "atomic.h"

enum {
    SPINS = 200,         /* turns of a wait before it yields the core */
    TURNS_PER_LOOK = 64, /* turns between looks whether the other process is alive */
    WAY_TURNS = 400,     /* turns in which those that wait may begin, between long operations */
    STRIPE_BYTES = 256,  /* consecutive bytes of a stripe, ... */
    PRIVATE_BYTES =
        4096, /* ... in memory that is not shared, of which much is gathered at a time */
};

/* ---- errors, waiting ------------------------------------------------------------------------- */

static bool is_dead(const struct rma_memory *m, uint32_t index)
{
    const struct rma_control *c = &m->control[index];
    const struct dev_node *n = &adi3_node;

    if (index >= (uint32_t) m->count || index == (uint32_t) m->me)
        return false;
    while (n && node_job(n)->dev.id != c->job)
        n = node_next(n);
    return n && !n->alive(n, c->local);
}

static int died(const struct rma_memory *m, uint32_t index)
{
    const struct rma_control *c = &m->control[index];

    return adi3_error(MPI_ERR_OTHER,
                      "rank %d of the window (process %d) has died in the middle of an operation "
                      "that others wait for",
                      (int) c->rank, (int) c->pid);
}

int rma_cma_error(const struct rma_control *c, int err)
{
    return adi3_error(MPI_ERR_OTHER,
                      "the memory of rank %d of the window (process %d) cannot be reached by CMA: "
                      "%s",
                      (int) c->rank, (int) c->pid, strerror(-err));
}

int rma_wait_word(const struct rma_memory *m, const _Atomic uint32_t *word, uint32_t value,
                  uint32_t index)
{
    for (unsigned turn = 1; atomic_load_explicit(word, memory_order_acquire) == value; turn++) {
        if (turn < SPINS) {
            os_relax();
            continue;
        }
        os_yield();
        if (turn % TURNS_PER_LOOK == 0 && is_dead(m, index)
            && atomic_load_explicit(word, memory_order_acquire) == value)
            return died(m, index);
    }
    return MPI_SUCCESS;
}

static bool swap(_Atomic uint32_t *word, uint32_t from, uint32_t to)
{
    return atomic_compare_exchange_strong_explicit(word, &from, to, memory_order_seq_cst,
                                                   memory_order_relaxed);
}

/* ---- single and long operations -------------------------------------------------------------- */

int rma_single_wait(const struct rma_place *p)
{
    const struct rma_memory *m = p->memory;
    _Atomic uint32_t *busy = &m->control[m->me].busy, *longs = &p->owner->longs;
    int err = MPI_SUCCESS;

    for (;;) {
        uint32_t now = atomic_load_explicit(longs, memory_order_acquire);
        if (now == RMA_LONGS_IDLE) {
            (void) swap(longs, RMA_LONGS_IDLE, 0);
        } else if (now) {
            atomic_store_explicit(busy, RMA_BUSY_WAITS, memory_order_release);
            err = rma_wait_word(m, longs, now, now - 1);
        } else {
            atomic_store_explicit(busy, RMA_BUSY, memory_order_relaxed);
            atomic_thread_fence(memory_order_seq_cst);
            if (atomic_load_explicit(longs, memory_order_acquire) == 0)
                return MPI_SUCCESS;
        }
        if (err) {
            atomic_store_explicit(busy, RMA_BUSY_NOT, memory_order_release);
            return err;
        }
        atomic_store_explicit(busy, RMA_BUSY_WAITS, memory_order_release);
    }
}

/* longs is this process's: waits for single operations that began before. */
static int drain(const struct rma_place *p)
{
    const struct rma_memory *m = p->memory;
    int err = MPI_SUCCESS;

    os_membarrier();
    for (int i = 0; i < m->count && !err; i++)
        if (i != m->me)
            err = rma_wait_word(m, &m->control[i].busy, RMA_BUSY, (uint32_t) i);
    if (err)
        atomic_store_explicit(&p->owner->longs, 0, memory_order_release);
    return err;
}

int rma_long_begin(const struct rma_place *p)
{
    uint32_t mine = (uint32_t) p->memory->me + 1;
    int err = MPI_SUCCESS;

    while (!err) {
        uint32_t now = atomic_load_explicit(&p->owner->longs, memory_order_relaxed);
        if (now && now != RMA_LONGS_IDLE)
            err = rma_wait_word(p->memory, &p->owner->longs, now, now - 1);
        else if (swap(&p->owner->longs, now, mine))
            return now ? MPI_SUCCESS : drain(p);
    }
    return err;
}

/* Lets a process that waits begin, unless it does not run. */
static void give_way(const _Atomic uint32_t *busy)
{
    for (int i = 0;
         i < WAY_TURNS && atomic_load_explicit(busy, memory_order_relaxed) == RMA_BUSY_WAITS; i++)
        os_relax();
}

void rma_long_end(const struct rma_place *p, bool more)
{
    const struct rma_memory *m = p->memory;

    atomic_store_explicit(&p->owner->longs, RMA_LONGS_IDLE, memory_order_release);
    for (int i = 0; more && i < m->count; i++)
        if (atomic_load_explicit(&m->control[i].busy, memory_order_relaxed) == RMA_BUSY_WAITS)
            give_way(&m->control[i].busy);
}

/* ---- stripes --------------------------------------------------------------------------------- */

uint64_t rma_stripes(const struct rma_control *owner, uint64_t offset, size_t len)
{
    const uint64_t bytes = owner->part ? STRIPE_BYTES : PRIVATE_BYTES;
    uint64_t first = offset / bytes, n = (offset + len - 1) / bytes - first + 1;
    unsigned by = first % RMA_STRIPES;

    if (n >= RMA_STRIPES)
        return UINT64_MAX;
    uint64_t set = ((uint64_t) 1 << n) - 1;
    return by ? set << by | set >> (RMA_STRIPES - by) : set;
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
        int err = take_stripe(p, &p->owner->stripe[__builtin_ctzll(left)]);
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
        atomic_store_explicit(&p->owner->stripe[__builtin_ctzll(set)], 0, memory_order_release);
}
