/* signal.c — MPI_Win_post and MPI_Win_complete between processes of a node: counts in shared memory
 * for each pair and direction, which only the process that says so writes.
 *
 * A node of many processes has no counts for all pairs of them. There a process takes one of the
 * places of another one before it says something, which has its index then; the other one looks for
 * that until it is there. Places are taken in order, for as long as the window lives. A process
 * that finds none says all by sync packets.
 *
 * None is ahead by more than one. A process that posts again has waited for the completes of all to
 * which it posted before, and MPI_Win_complete waits for the post. So a byte is enough, and a post
 * for the next round may come before this one ends elsewhere.
 *
 * A process that has to wait long says in `awaits` for which process it does, before it sets its
 * sleep word, issues the membarrier and looks once more; the other one counts first and looks at
 * `awaits` and the sleep word then: one of the two sees the other. test/models/rma_pscw.pml proves
 * it. */
#include "adi3/rma/shared/shared_impl.h"

enum { LOOKS = 200 }; /* at a count before messages are moved */

struct signal_waiter { /* on the stack of a call */
    struct adi3_wait wait;
    struct adi3_win *w;
    struct rma_target *target;
    enum rma_signal_kind what;
    bool woken;
    struct signal_waiter *next;
};

static struct signal_waiter *waiters;
static bool poll_waiters(void);
static struct progress_source signal_source = { .name = "rma signals", .poll = poll_waiters };

int rma_signal_init(void) { return progress_source_add(&signal_source); }

const struct rma_hooks rma_signal_hooks = { .name = "signals", .init = rma_signal_init };

/* ---- counts ---------------------------------------------------------------------------------- */

void rma_signal_prepare(struct adi3_win *w, struct rma_target *t)
{
    const uint16_t own = (uint16_t) (w->memory->me + 1);

    assert(adi3_lock_held());
    for (int i = 0; i < RMA_SIGNALS_MOST && t->signals && !t->to; i++) {
        struct rma_signal *place = &t->signals->by[i];
        uint16_t of = 0;
        if (atomic_compare_exchange_strong(&place->of, &of, own))
            t->to = place;
    }
}

/* Looks for the place that t has taken. */
__attribute__((noinline, cold)) static bool find_place_of(struct rma_target *t)
{
    uint16_t of = 1;

    for (int i = 0; i < RMA_SIGNALS_MOST && of && !t->from; i++) {
        of = atomic_load_explicit(&t->own_signals->by[i].of, memory_order_acquire);
        if (of == t->index + 1)
            t->from = &t->own_signals->by[i];
    }
    return t->from;
}

static inline bool has_place(struct rma_target *t)
{
    return t->from || (t->own_signals && find_place_of(t));
}

void rma_signal(struct adi3_win *w, struct rma_target *t, enum rma_signal_kind what)
{
    const struct rma_memory *m = w->memory;

    assert(adi3_lock_held());
    if (what == RMA_SIGNAL_POST)
        atomic_store_explicit(&t->to->posts, ++t->posts_given, memory_order_release);
    else
        atomic_store_explicit(&t->to->completes, ++t->completes_given, memory_order_release);
    rma_order();
    uint32_t awaits = atomic_load_explicit(&t->signals->awaits, memory_order_relaxed);
    if (awaits == (uint32_t) m->me + 1 || awaits == RMA_AWAITS_SEVERAL)
        rma_wake(w, (int) (t->control - m->control));
}

/* A post comes one way from a process, a complete behind operations by messages as a sync
 * packet. */
bool rma_has_signal(struct rma_target *t, enum rma_signal_kind what)
{
    if (what == RMA_SIGNAL_POST)
        return has_place(t)
                   ? atomic_load_explicit(&t->from->posts, memory_order_acquire) != t->posts_taken
                   : t->posts > 0;
    return (has_place(t)
            && atomic_load_explicit(&t->from->completes, memory_order_acquire)
                   != t->completes_taken)
           || t->completes > 0;
}

void rma_take_signal(struct rma_target *t, enum rma_signal_kind what)
{
    if (what == RMA_SIGNAL_POST && t->from)
        t->posts_taken++;
    else if (what == RMA_SIGNAL_POST)
        t->posts--;
    else if (t->completes > 0)
        t->completes--;
    else
        t->completes_taken++;
}

/* ---- waiting --------------------------------------------------------------------------------- */

static void signal_waits_announce(const struct adi3_win *w)
{
    const struct rma_memory *m = w->memory;
    uint32_t awaits = 0;

    for (const struct signal_waiter *x = waiters; x; x = x->next)
        if (x->w == w && x->target->control)
            awaits = awaits ? RMA_AWAITS_SEVERAL : (uint32_t) (x->target->control - m->control) + 1;
    atomic_store_explicit(&rma_signals_to(m, m->me)->awaits, awaits, memory_order_relaxed);
}

/* The thread that sleeps for all may have looked at the list before. */
static void signal_waiter_enlist(struct signal_waiter *x)
{
    x->next = waiters;
    waiters = x;
    progress_want(&signal_source);
    signal_waits_announce(x->w);
    if (adi3_locks)
        os_membarrier();
}

static void signal_waiter_delist(const struct signal_waiter *x)
{
    struct signal_waiter **at = &waiters;

    while (*at != x)
        at = &(*at)->next;
    *at = x->next;
    if (!waiters)
        progress_unwant(&signal_source);
    signal_waits_announce(x->w);
}

/* True when signals have come, once for each waiter: the process must not sleep on. */
static bool poll_waiters(void)
{
    bool moved = false;

    for (struct signal_waiter *x = waiters; x; x = x->next)
        if (!x->woken && rma_has_signal(x->target, x->what)) {
            x->woken = moved = true;
            thread_wake_waiter(&x->wait);
        }
    return moved;
}

__attribute__((noinline)) static int wait_long(struct signal_waiter *x)
{
    int err = MPI_SUCCESS;

    x->wait.on = x->w;
    x->wait.what = x->what == RMA_SIGNAL_POST ? "MPI_Win_post" : "MPI_Win_complete";
    signal_waiter_enlist(x);
    while (!rma_has_signal(x->target, x->what) && !err)
        err = rma_wait_turn(x->w, &x->wait, x->target->rank);
    signal_waiter_delist(x);
    adi3_wait_end(&x->wait);
    return err;
}

int rma_await_signal(struct adi3_win *w, struct rma_target *t, enum rma_signal_kind what)
{
    struct signal_waiter x = { .w = w, .target = t, .what = what };

    assert(adi3_lock_held());
    for (int i = adi3_threads || !t->from ? LOOKS : 0; i < LOOKS; i++)
        if (rma_has_signal(t, what))
            return MPI_SUCCESS;
    return wait_long(&x);
}
