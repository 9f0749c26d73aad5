/* lock.c — the lock of one process's window: readers and writers in the order of arrival, so that
 * none starves.
 *
 * Each takes a ticket. A reader is served when `read` is its ticket, and makes `read` the next
 * ticket, so that a reader behind it is served as well. A writer is served when `write` is its
 * ticket: `write` counts those that have given the lock up.
 *
 * A reader that has another lock of the same window cannot line up. With readers A and B, each with
 * its own lock, and writers that wait for both, A would wait behind the writer of B's lock and B
 * behind that of A's for ever, though all that is held is shared. So such a reader joins: it counts
 * itself in `inside` unless a writer is there. A writer whose turn has come goes inside, too, when
 * no process is.
 *
 * A process that has to wait long says in the `waits` of its control block what for, before it sets
 * its sleep word, issues the membarrier and looks once more. One that gives a lock up, or passes
 * `read` on, does that first and looks at `waits` and the sleep words then: one of the two sees the
 * other. */
#include "adi3/rma/shared/shared_impl.h"

static const uint32_t WRITER = 1u << 31, JOINERS = 1u << 30; /* in `inside`: readers wait to join */

/* ---- waking ---------------------------------------------------------------------------------- */

uint64_t rma_lock_waits(const struct adi3_win *w, const struct rma_lock *l, uint32_t ticket,
                        enum rma_kind kind)
{
    const struct rma_control *owner = OS_OWNER(l, const struct rma_control, lock);
    uint64_t index = (uint64_t) (owner - w->memory->control);

    if (kind == RMA_JOINS)
        return (uint64_t) RMA_LOCK_ANY;
    return (2 * index + (kind == RMA_WRITES) + 1) << 32 | ticket;
}

/* Wakes process i of the memory if it sleeps. Its sleep word is in the segment of its job. */
void rma_wake(const struct adi3_win *w, int i)
{
    const struct adi3_proc *p = w->comm->proc[w->memory->control[i].rank];
    const struct dev_node *n = i == w->memory->me ? &adi3_node : proc_node(p);
    int index = i == w->memory->me ? adi3_node.index : proc_local(p);

    if (atomic_load_explicit(n->asleep(n, index), memory_order_relaxed) != DEV_AWAKE)
        n->wake(n, index);
}

/* Wakes the sleeping processes whose turn it is now. */
__attribute__((noinline)) static void wake_next(const struct adi3_win *w, const struct rma_lock *l)
{
    const struct rma_memory *m = w->memory;
    uint32_t read = atomic_load_explicit(&l->read, memory_order_relaxed);
    uint32_t write = atomic_load_explicit(&l->write, memory_order_relaxed);
    uint64_t reader = rma_lock_waits(w, l, read, RMA_READS);
    uint64_t writer = rma_lock_waits(w, l, write, RMA_WRITES);

    for (int i = 0; i < m->count; i++) {
        uint64_t waits = atomic_load_explicit(&m->control[i].waits, memory_order_relaxed);
        if (waits && (waits == reader || waits == writer || waits == (uint64_t) RMA_LOCK_ANY))
            rma_wake(w, i);
    }
}

static bool has_other_users(const struct rma_lock *l, uint32_t next)
{
    return atomic_load_explicit(&l->users, memory_order_relaxed) != next;
}

/* ---- taking ---------------------------------------------------------------------------------- */

uint32_t rma_lock_take(struct rma_lock *l) { return atomic_fetch_add(&l->users, 1); }

static bool is_read_granted(const struct adi3_win *w, struct rma_lock *l, uint32_t ticket)
{
    if (atomic_load_explicit(&l->read, memory_order_acquire) != ticket)
        return false;
    atomic_store_explicit(&l->read, ticket + 1, memory_order_release);
    rma_order();
    if (has_other_users(l, ticket + 1))
        wake_next(w, l);
    return true;
}

static bool is_write_granted(struct rma_lock *l, uint32_t ticket)
{
    uint32_t nobody = 0;

    return atomic_load_explicit(&l->write, memory_order_acquire) == ticket
           && atomic_compare_exchange_strong(&l->inside, &nobody, WRITER);
}

/* Joins, or sets JOINERS when a writer is inside: then the writer has to wake the joining
 * readers. */
static bool is_join_granted(struct rma_lock *l)
{
    uint32_t inside = atomic_load_explicit(&l->inside, memory_order_acquire);

    for (;;) {
        uint32_t next = inside & WRITER ? inside | JOINERS : inside + 1;
        if (next == inside || atomic_compare_exchange_weak(&l->inside, &inside, next))
            return !(next & WRITER);
    }
}

bool rma_lock_served(const struct adi3_win *w, struct rma_lock *l, uint32_t ticket,
                     enum rma_kind kind)
{
    switch (kind) {
    case RMA_READS:
        return is_read_granted(w, l, ticket);
    case RMA_WRITES:
        return is_write_granted(l, ticket);
    case RMA_JOINS:
        return is_join_granted(l);
    }
    return false;
}

/* ---- giving up ------------------------------------------------------------------------------- */

/* Only the last reader can let a writer in: then all that have a ticket below `read` are gone. */
static void end_read(const struct adi3_win *w, struct rma_lock *l)
{
    uint32_t gone = atomic_fetch_add(&l->write, 1) + 1;

    rma_order();
    if (atomic_load_explicit(&l->read, memory_order_relaxed) == gone && has_other_users(l, gone))
        wake_next(w, l);
}

/* A reader behind the writer may read as soon as `read` is its ticket, and add to `write` before
 * this process does. */
static void end_write(const struct adi3_win *w, struct rma_lock *l)
{
    uint32_t next = atomic_load_explicit(&l->read, memory_order_relaxed) + 1;
    uint32_t inside = atomic_exchange(&l->inside, 0);

    atomic_store_explicit(&l->read, next, memory_order_release);
    atomic_fetch_add(&l->write, 1);
    rma_order();
    if (inside & JOINERS || has_other_users(l, next))
        wake_next(w, l);
}

static void end_join(const struct adi3_win *w, struct rma_lock *l)
{
    uint32_t inside = atomic_fetch_sub(&l->inside, 1);

    rma_order();
    if (inside == 1 && has_other_users(l, atomic_load_explicit(&l->write, memory_order_relaxed)))
        wake_next(w, l);
}

void rma_lock_release(const struct adi3_win *w, struct rma_lock *l, enum rma_kind kind)
{
    assert(adi3_lock_held());
    switch (kind) {
    case RMA_READS:
        end_read(w, l);
        break;
    case RMA_WRITES:
        end_write(w, l);
        break;
    case RMA_JOINS:
        end_join(w, l);
        break;
    }
}

/* ---- deaths ---------------------------------------------------------------------------------- */

int rma_lock_dead(const struct adi3_win *w)
{
    const struct rma_memory *m = w->memory;

    for (int i = 0; i < m->count; i++) {
        const struct adi3_proc *p = w->comm->proc[m->control[i].rank];
        const struct dev_node *n = proc_node(p);
        if (i != m->me && atomic_load(&m->control[i].tickets) && !n->alive(n, proc_local(p)))
            return i;
    }
    return -1;
}
