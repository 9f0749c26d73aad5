/* progress.c — moving messages, and the one place where this process waits.
 *
 * With a core for each process a waiter spins for about twice the time of a wake-up. It spins
 * longer where recent waits were a little longer, and while a large message is under way. When
 * the scheduler has put another busy process of the job on its core, it moves to a free core;
 * where it has just done so, or no core is free, it sleeps at once. When processes outnumber
 * cores, it yields a few times and then sleeps. It sleeps in the kernel until a sender wakes it.
 * Twice a second it looks whether a process of the node has died. */
#include <unistd.h>
#include "adi3/progress/progress_impl.h"

enum {
    YIELDS = 20,
    LOOK_AT_CLOCK = 16, /* turns without a look at the clock and without a pause */
    LOOK_NS = 490000000,
    POLLS_PER_LOOK = 4096,
    POLLS_IN_VAIN = 4,          /* before a poll yields */
    LAST_POLLS = 1000,          /* of a process that has died */
    MOST_POLL_INTERVAL_MS = 50, /* where a device has no descriptor to sleep on */
    INTERVALS_PER_MS = 4,
    TURNS_EACH = 16, /* of one thread, before another may have the lock */
};

static int epoll = -1; /* the descriptors to sleep on; -1: not made yet */

static bool poll_devices(void)
{
    bool moved = false;

    for (bool (**poll)(void) = adi3_polls; *poll; poll++)
        moved |= (*poll)();
    return moved;
}

/* Takes what the process had sent when it died, and reports it lost. */
static void peer_failed(struct adi3_proc *p)
{
    bool moved = true;

    for (int i = 0; i < LAST_POLLS && moved; i++)
        moved = poll_devices();
    proc_died(p);
}

/* Whether the process with this index in a segment has died. */
static bool detect_failure(const struct dev_node *n, int index)
{
    const struct proc_job *job = node_job(n);
    int rank = node_slot_in(n, index)->rank;

    if (rank < 0 || rank >= job->dev.size || index == n->index)
        return false;
    struct adi3_proc *p = proc_at(job->first + rank);
    bool leaves = p->link && (p->link->ended || p->link->left); /* in order */
    if (p->lost || leaves || !proc_may_send(p) || n->alive(n, index))
        return false;
    peer_failed(p);
    node_found_dead(n);
    return true;
}

/* Looks for processes of a segment that have died; true when there are some. */
static bool detect_failures_in(const struct dev_node *n)
{
    int first, most = node_turn(n, &first);
    bool found = false;

    for (int i = first; i < first + most; i++)
        found |= detect_failure(n, i % n->count);
    return found;
}

/* Looks for processes of the node that have died, twice a second at most; true when there are
 * some. awaited: the process that a call waits for, or NULL. */
__attribute__((noinline)) static bool detect_failures(const struct dev_peer *awaited)
{
    static uint64_t last_look;
    uint64_t now = os_time_ns();
    bool found = false;

    if (now - last_look < LOOK_NS)
        return false;
    last_look = now;
    const struct adi3_proc *p = awaited ? proc_of(awaited) : NULL;
    if (p && proc_node(p))
        found = detect_failure(proc_node(p), proc_local(p));
    for (const struct dev_node *n = &adi3_node; n; n = node_next(n))
        found |= detect_failures_in(n);
    progress_tick();
    return found;
}

void progress_detect_failures(void) { (void) detect_failures(NULL); }

/* Into each turn of waiting: whether the compiler would do so is up to what else it has inlined. */
static inline __attribute__((always_inline)) bool poll_all(void)
{
    static unsigned until_look = POLLS_PER_LOOK;
    bool moved = poll_devices();

    assert(adi3_lock_held());
    if (__builtin_expect(progress_wanted != 0, 0))
        moved |= progress_poll_sources();
    if (__builtin_expect(--until_look == 0, 0)) {
        until_look = POLLS_PER_LOOK;
        moved |= detect_failures(NULL);
        core_look();
    }
    return moved;
}

bool progress_poll(void) { return poll_all(); }

/* Adds a descriptor of a device or a source to the epoll, which it makes with the wake-up socket in
 * it. */
static void add_descriptor(int fd)
{
    if (epoll < 0 && (epoll = os_epoll()) >= 0 && sleep_wake_fd() >= 0)
        (void) os_epoll_set(epoll, sleep_wake_fd(), true, false, NULL);
    if (epoll >= 0)
        (void) os_epoll_set(epoll, fd, true, false, NULL);
}

int progress_descriptors(unsigned poll_interval, unsigned *ms)
{
    bool any = false;

    for (int i = 0; i < adi3_ndevs; i++) {
        const struct adi3_dev *d = &adi3_devs[i];
        int fd = d->ops->wait_fd ? d->ops->wait_fd() : -1;
        if (fd < 0) {
            *ms = d->ops->wait_fd ? poll_interval : *ms;
            continue;
        }
        add_descriptor(fd);
        any = true;
    }
    for (int i = 0; progress_sources[i]; i++) {
        int fd = progress_sources[i]->wait_fd ? progress_sources[i]->wait_fd() : -1;
        if (fd >= 0)
            add_descriptor(fd);
        any |= fd >= 0;
    }
    return any ? epoll : -1;
}

/* Whether there is anything to do, also for a device or a source that would not wake this process
 * for it. */
bool progress_has_work(void)
{
    if (progress_poll())
        return true;
    for (int i = 0; i < adi3_ndevs; i++)
        if (adi3_devs[i].ops->may_sleep && !adi3_devs[i].ops->may_sleep())
            return true;
    for (int i = 0; progress_sources[i]; i++)
        if (progress_is_polled(progress_sources[i]) && progress_sources[i]->may_sleep
            && !progress_sources[i]->may_sleep())
            return true;
    return false;
}

/* Updates what w waits for. */
static void update_wait(struct adi3_wait *w)
{
    if (w->look)
        w->look(w);
}

unsigned progress_interval(struct adi3_wait *w)
{
    unsigned interval = 1 + w->intervals++ / INTERVALS_PER_MS;

    return interval < MOST_POLL_INTERVAL_MS ? interval : MOST_POLL_INTERVAL_MS;
}

/* Where nothing wakes this process, it polls in intervals that grow with the time it waits. */
static void sleep_in_kernel(struct adi3_wait *w)
{
    unsigned ms = SLEEP_TICK_MS;
    int fds = progress_descriptors(progress_interval(w), &ms);

    update_wait(w);
    if (!sleep_until_woken(w, progress_has_work, fds, ms))
        return;
    if (!w->idle)
        spin_note_wait(os_time_ns() - w->since);
    (void) detect_failures(w->peer);
}

/* True while it is too early to sleep. */
static bool keep_spinning(struct adi3_wait *w, unsigned turn)
{
    if (turn % LOOK_AT_CLOCK || turn == 0)
        return true;
    if (turn == LOOK_AT_CLOCK) {
        w->since = os_time_ns();
        spin_begins();
    }
    update_wait(w);
    if (core_shared(w) && !core_leave())
        return false;
    return os_time_ns() - w->since < spin_time(w);
}

/* Pauses without the lock where there are threads, so that others can enter. */
static void pause_between(void (*pause)(void))
{
    if (adi3_threads)
        adi3_unlock();
    pause();
    if (adi3_threads)
        adi3_lock();
}

/* True while it is too early to sleep. */
static bool keep_yielding(struct adi3_wait *w, unsigned turn)
{
    uint64_t before = os_time_ns();

    if (turn >= YIELDS || yields_are_banned(before)) {
        core_note();
        w->since = before;
        return false;
    }
    core_balance(before);
    pause_between(os_yield);
    yields_note(before, os_time_ns());
    return true;
}

/* A poll of a program on a core that another rank may need: after a few in vain it yields, as a
 * wait does. Else it would use up its time slice while that rank is about to send. Other threads
 * may move something meanwhile. */
__attribute__((noinline)) static bool poll_yields(bool moved)
{
    static unsigned in_vain;
    uint64_t before;

    in_vain = moved ? 0 : in_vain + 1;
    if (in_vain < POLLS_IN_VAIN || yields_are_banned(before = os_time_ns()))
        return moved;
    yield_counts.polls++;
    pause_between(os_yield);
    yields_note(before, os_time_ns());
    return adi3_threads;
}

bool adi3_poll(void)
{
    bool moved = poll_all();

    return __builtin_expect(core_has_others, 0) ? poll_yields(moved) : moved;
}

/* Gives other threads the lock now and then while messages keep coming. */
static void let_others_in(void)
{
    static unsigned turns;

    if (adi3_threads && ++turns % TURNS_EACH == 0) {
        adi3_unlock();
        adi3_lock();
    }
}

void adi3_wait_turn(struct adi3_wait *w)
{
    assert(adi3_lock_held());
    if (adi3_threads && (w->idle || w->turns >= LOOK_AT_CLOCK) && !thread_leads(w))
        return;
    if (poll_all()) {
        w->turns = 0;
        let_others_in();
        return;
    }
    unsigned turn = w->turns++;
    if (adi3_node.oversubscribed && !w->idle && keep_yielding(w, turn))
        return;
    if (!adi3_node.oversubscribed && !w->idle && keep_spinning(w, turn)) {
        if (adi3_threads)
            pause_between(turn < LOOK_AT_CLOCK || thread_sleepers ? os_yield : os_relax);
        else if (turn >= LOOK_AT_CLOCK)
            os_relax(); /* the process waited for may run on the other half of this core */
        return;
    }
    if (adi3_threads && !thread_leads(w))
        return; /* where there are no yields, it comes here in an early turn */
    sleep_in_kernel(w);
    w->turns = 0;
}

void progress_finalize(void)
{
    assert(adi3_lock_held());
    if (epoll >= 0)
        (void) close(epoll);
    epoll = -1;
    yields_finalize();
    sleep_finalize();
}
