/* lock_wait.c — what waits for a lock: calls of this process, and origins on other nodes, which ask
 * by packets for the lock of this process's window.
 *
 * All are in one list, which a source of progress looks at; so a process that sleeps in any call
 * looks at it as well. A lock whose holder has died ends the wait with an error. */
#include <stdlib.h>
#include <string.h>
#include "adi3/rma/messages/wire.h"

enum {
    LOOKS = 200, /* at a lock before messages are moved */
    TURNS_PER_LOOK = 64,
    DEATHS_NS = 100000000, /* between looks whether a process has died, ... */
    LOST_NS = 1000000,     /* ... when one is known to be lost */
};

struct rma_waiter {
    struct adi3_wait wait; /* of a call */
    struct adi3_win *w;
    struct rma_lock *lock;
    uint32_t ticket;
    enum rma_kind kind;
    bool call;                 /* it is on the stack of a call; false: origin's, and allocated */
    bool served;               /* it has the lock */
    struct rma_target *origin; /* NULL: no process wants the lock; given up when served */
    struct rma_pending
        *queued;     /* in the queue of the origin until it is served; NULL: it is told */
    uint64_t looked; /* ns, when it was looked for deaths last */
    struct rma_waiter *next;
};

static struct rma_waiter *waiters;
static bool poll_waiters(void);
static void look_for_deaths(void);

static struct progress_source lock_source = { .name = "rma locks",
                                              .poll = poll_waiters,
                                              .tick = look_for_deaths };

int rma_lock_init(void) { return progress_source_add(&lock_source); }

static struct rma_control *own_control(const struct adi3_win *w)
{
    return &w->memory->control[w->memory->me];
}

static void count_ticket(const struct adi3_win *w, uint32_t more)
{
    _Atomic uint32_t *tickets = &own_control(w)->tickets;
    uint32_t now = atomic_load_explicit(tickets, memory_order_relaxed);

    atomic_store_explicit(tickets, now + more, memory_order_release);
}

/* ---- the list -------------------------------------------------------------------------------- */

/* Shows the processes of the node which lock of the window this process waits for. */
static void lock_waits_announce(const struct adi3_win *w)
{
    uint64_t waits = 0;

    for (const struct rma_waiter *x = waiters; x; x = x->next)
        if (x->w == w && !x->served)
            waits =
                waits ? (uint64_t) RMA_LOCK_ANY : rma_lock_waits(w, x->lock, x->ticket, x->kind);
    atomic_store_explicit(&own_control(w)->waits, waits, memory_order_relaxed);
}

/* The thread that sleeps for all may have looked at the list before. */
static void lock_waiter_enlist(struct rma_waiter *x)
{
    x->next = waiters;
    waiters = x;
    progress_want(&lock_source);
    lock_waits_announce(x->w);
    if (adi3_locks)
        os_membarrier();
}

static void lock_waiter_delist(const struct rma_waiter *x)
{
    struct rma_waiter **at = &waiters;

    while (*at && *at != x)
        at = &(*at)->next;
    if (*at)
        *at = x->next;
    if (!waiters)
        progress_unwant(&lock_source);
    lock_waits_announce(x->w);
}

static bool is_served(struct rma_waiter *x)
{
    if (!x->served)
        x->served = rma_lock_served(x->w, x->lock, x->ticket, x->kind);
    return x->served;
}

/* Gives up the lock, or the place in the line, of a waiter without a call. */
static void give_back(struct rma_waiter *x)
{
    if (!x->served) {
        x->origin = NULL;
        return;
    }
    rma_lock_release(x->w, x->lock, x->kind);
    count_ticket(x->w, -1u);
    free(x);
}

static void lock_answer_origin(const struct rma_waiter *x, int errclass)
{
    const struct rma_sync_fields fields = { .errclass = errclass };

    /* An origin that is lost gives its lock back by rma_lock_origin_lost(). */
    (void) rma_sync_send(x->w, x->origin->rank, RMA_SYNC_LOCKED, &fields);
}

/* An origin has the lock, or will not get it (errclass). */
static void lock_decide_origin(struct rma_waiter *x, int errclass)
{
    struct rma_pending *queued = x->queued;

    x->queued = NULL;
    if (queued)
        pending_arrived(queued);
    else
        lock_answer_origin(x, errclass);
}

/* The first waiter that is served now. */
static struct rma_waiter *next_served(void)
{
    for (struct rma_waiter *x = waiters; x; x = x->next)
        if (!x->served && is_served(x))
            return x;
    return NULL;
}

/* Sending may move messages, and these change the list. */
static bool poll_waiters(void)
{
    struct rma_waiter *x;
    bool moved = false;

    while ((x = next_served())) {
        moved = true;
        if (x->call) {
            thread_wake_waiter(&x->wait);
            continue;
        }
        lock_waiter_delist(x);
        if (x->origin)
            lock_decide_origin(x, MPI_SUCCESS);
        else
            give_back(x);
    }
    return moved;
}

/* ---- waiting in a call ----------------------------------------------------------------------- */

static int dead_error(const struct adi3_win *w, int index)
{
    char title[RMA_TITLE];

    return adi3_error(MPI_ERR_OTHER, "%s on host %s ended while it held or waited for a lock",
                      rma_title(w, w->memory->control[index].rank, title), adi3_hostname());
}

/* The error that ends a wait; looks now and then. After a sleep `turns` is 0. */
static int check_deaths(struct rma_waiter *x)
{
    if (x->wait.turns % TURNS_PER_LOOK)
        return MPI_SUCCESS;
    uint64_t now = os_time_ns();
    if (now - x->looked < (proc_any_lost ? LOST_NS : DEATHS_NS))
        return MPI_SUCCESS;
    int dead = rma_lock_dead(x->w);
    x->looked = now;
    return dead < 0 || is_served(x) ? MPI_SUCCESS : dead_error(x->w, dead);
}

/* The wait has failed. Its ticket must not hold up those behind it when its turn comes: then
 * poll_waiters() passes it on. Without memory for that it stays in `tickets` for good. */
static void lock_waiter_abandon(const struct rma_waiter *x)
{
    struct rma_waiter *left = x->kind == RMA_JOINS ? NULL : malloc(sizeof *left);

    if (x->kind == RMA_JOINS)
        count_ticket(x->w, -1u);
    if (!left)
        return;
    *left = *x;
    left->call = false;
    left->origin = NULL;
    lock_waiter_enlist(left);
}

__attribute__((noinline)) static int wait_long(struct rma_waiter *x)
{
    int err = MPI_SUCCESS;

    x->wait.what = "a lock of a window";
    x->looked = proc_any_lost ? 0 : os_time_ns();
    lock_waiter_enlist(x);
    while (!is_served(x) && !err) {
        adi3_wait_turn(&x->wait);
        err = is_served(x) ? MPI_SUCCESS : check_deaths(x);
    }
    lock_waiter_delist(x);
    adi3_wait_end(&x->wait);
    if (err)
        lock_waiter_abandon(x);
    return err;
}

/* Others have the lock, or wait for it. */
__attribute__((noinline)) static int wait_served(struct adi3_win *w, struct rma_lock *l,
                                                 enum rma_kind kind, uint32_t ticket)
{
    struct rma_waiter x = { .w = w, .lock = l, .ticket = ticket, .kind = kind, .call = true };

    for (int i = adi3_threads ? LOOKS : 0; i < LOOKS; i++)
        if (is_served(&x))
            return MPI_SUCCESS;
    return wait_long(&x);
}

int rma_lock_wait(struct adi3_win *w, struct rma_control *owner, enum rma_kind kind)
{
    struct rma_lock *l = &owner->lock;

    assert(adi3_lock_held());
    count_ticket(w, 1);
    uint32_t ticket = kind == RMA_JOINS ? 0 : rma_lock_take(l);
    return rma_lock_served(w, l, ticket, kind) ? MPI_SUCCESS : wait_served(w, l, kind, ticket);
}

void rma_lock_drop(struct adi3_win *w, struct rma_control *owner, enum rma_kind kind)
{
    rma_lock_release(w, &owner->lock, kind);
    count_ticket(w, -1u);
}

/* ---- origins on other nodes ------------------------------------------------------------------ */

static int lock_request_error(const struct adi3_win *w, const struct rma_target *origin,
                              const char *why)
{
    char title[RMA_TITLE];

    return adi3_error(MPI_ERR_OTHER, "%s asks for a lock of this process, %s",
                      rma_title(w, origin->rank, title), why);
}

/* With a ticket, and perhaps served. */
static struct rma_waiter *new_waiter(struct adi3_win *w, struct rma_target *origin,
                                     enum rma_kind kind)
{
    struct rma_waiter *x = calloc(1, sizeof *x);

    if (!x)
        return NULL;
    *x = (struct rma_waiter) {
        .w = w, .lock = &own_control(w)->lock, .kind = kind, .origin = origin
    };
    count_ticket(w, 1);
    x->ticket = kind == RMA_JOINS ? 0 : rma_lock_take(x->lock);
    origin->ticket = x;
    origin->denied = false;
    (void) is_served(x);
    return x;
}

int rma_lock_asked(struct adi3_win *w, struct rma_target *origin, uint32_t kind)
{
    assert(adi3_lock_held());
    if (kind > RMA_JOINS)
        return lock_request_error(w, origin, "but not for which");
    if (origin->ticket)
        return lock_request_error(w, origin, "which it has asked for already");
    struct rma_waiter *x = new_waiter(w, origin, (enum rma_kind) kind);
    if (!x)
        return adi3_no_memory("for a lock of a window");
    if (x->served) {
        lock_answer_origin(x, MPI_SUCCESS);
        return MPI_SUCCESS;
    }
    lock_waiter_enlist(x);
    (void) poll_waiters(); /* it may have been served meanwhile */
    return MPI_SUCCESS;
}

static void pending_run_nothing(struct rma_pending *x) { (void) x; }

int rma_lock_queued(struct adi3_win *w, struct rma_target *origin, enum rma_kind kind)
{
    struct rma_pending *queued = malloc(sizeof *queued);
    struct rma_waiter *x = queued ? new_waiter(w, origin, kind) : NULL;

    assert(adi3_lock_held());
    if (!x || x->served) {
        free(queued);
        return x ? MPI_SUCCESS : adi3_no_memory("for a lock of a window");
    }
    *queued = (struct rma_pending) { .win = w, .origin = origin, .run = pending_run_nothing };
    x->queued = queued;
    pending_add(queued);
    lock_waiter_enlist(x);
    (void) poll_waiters();
    return MPI_SUCCESS;
}

void rma_lock_given_up(struct adi3_win *w, struct rma_target *origin)
{
    struct rma_waiter *x = origin->ticket;

    (void) w;
    assert(adi3_lock_held() && (!x || x->w == w));
    origin->ticket = NULL;
    origin->denied = false;
    if (x)
        give_back(x);
}

static int lock_comes(struct adi3_win *w, struct rma_target *t, const struct rma_sync_fields *f)
{
    return rma_lock_asked(w, t, f->value);
}

const struct rma_sync_row rma_lock_sync = { .name = "LOCK", .come = lock_comes };

static int unlock_comes(struct adi3_win *w, struct rma_target *t, const struct rma_sync_fields *f)
{
    rma_lock_given_up(w, t);
    flush_answer(w, t, f->number);
    return MPI_SUCCESS;
}

const struct rma_sync_row rma_unlock_sync = { .name = "UNLOCK", .come = unlock_comes };

/* The lock will not come: what waits for it fails. */
static void lock_deny_origin(struct rma_waiter *x)
{
    struct rma_target *origin = x->origin;

    if (origin->ticket == x)
        origin->ticket = NULL;
    origin->denied = x->queued;
    lock_decide_origin(x, MPI_ERR_OTHER);
    x->origin = NULL;
}

void rma_lock_origin_lost(struct adi3_win *w, struct rma_target *origin)
{
    struct rma_waiter *x = origin->ticket;

    if (x && x->queued)
        lock_deny_origin(x);
    else
        rma_lock_given_up(w, origin);
}

/* Origins that wait for a lock which a dead process of this node has. */
static void look_for_deaths(void)
{
    for (struct rma_waiter *x = waiters, *next; x; x = next) {
        next = x->next;
        if (x->call || !x->origin || x->served || rma_lock_dead(x->w) < 0)
            continue;
        lock_deny_origin(x);
        next = waiters; /* a sync packet may have changed the list */
    }
}

void rma_lock_free(struct adi3_win *w)
{
    struct rma_target *t;

    for (struct rma_waiter *x = waiters, *next; x; x = next) {
        next = x->next;
        if (x->w != w)
            continue;
        if (x->origin)
            x->origin->ticket = NULL;
        lock_waiter_delist(x);
        free(x);
    }
    for (int rank = 0; (t = rma_next_target(w, &rank));) {
        free(t->ticket);
        t->ticket = NULL;
    }
}
