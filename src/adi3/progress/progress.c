/* progress.c — moving messages, and the one place where this process waits.
 *
 * With a core for each process a waiter spins for about as long as a wake-up would take twice
 * over, longer where waits have turned out to be a little longer, and while a large message is
 * under way; but when the scheduler has put another busy process of the job on its core, it moves
 * to a core of its own, and where it has just done so or there is none, it sleeps at once. When
 * processes outnumber cores it lets others run first, a few times, and then sleeps. Sleep is in the
 * kernel, until a sender ends it. Twice a second it looks whether anybody died meanwhile. */
#include <unistd.h>
#include "progress_impl.h"

enum {
    SPIN_NS = 20000,
    LONGEST_SPIN_NS = 160000,
    MOST_SPIN_NS = 1000000,
    BYTES_PER_NS = 8, /* what a large message is given at least */
    YIELDS = 20,
    SLICE_NS = 1000000,
    LOSS_NS = 20000000,  /* when half of it goes into such yields, ... */
    DEAR_NS = 200000000, /* ... there is none for so long */
    LOOK_AT_CLOCK = 16,  /* turns: a message that comes at once costs no look, and no pause */
    LOOK_NS = 490000000,
    POLLS_PER_LOOK = 4096,
    LAST_WORDS = 1000,          /* polls */
    MOST_POLL_INTERVAL_MS = 50, /* where a device has nothing to wake us with */
    INTERVALS_PER_MS = 4,
    TURNS_EACH = 16, /* of one thread, before another may have the lock */
};

static int epoll = -1;

static bool move(void)
{
    bool moved = false;

    for (bool (**poll)(void) = adi3_polls; *poll; poll++)
        moved |= (*poll)();
    return moved;
}

/* What a process had sent when it died is taken first. */
static void peer_failed(int rank)
{
    bool moved = true;

    for (int i = 0; i < LAST_WORDS && moved; i++)
        moved = move();
    proc_died(&adi3_procs[rank]);
}

/* Twice a second, also when there is always something to do; true when somebody was found. */
__attribute__((noinline)) static bool detect_failures(void)
{
    static uint64_t last_look;
    uint64_t now = os_time_ns();
    bool found = false;

    if (now - last_look < LOOK_NS)
        return false;
    last_look = now;
    for (int i = 0; i < adi3_node.count; i++) {
        int rank = adi3_node.world_rank(i);
        if (i == adi3_node.index || rank < 0 || rank >= adi3_job.size || adi3_procs[rank].lost)
            continue;
        if (!adi3_node.alive(i)) {
            peer_failed(rank);
            found = true;
        }
    }
    progress_tick();
    return found;
}

bool progress_poll(void)
{
    static unsigned until_look = POLLS_PER_LOOK;
    bool moved = move();

    assert(adi3_lock_held());
    if (__builtin_expect(progress_wanted != 0, 0))
        moved |= progress_poll_sources();
    if (__builtin_expect(--until_look == 0, 0)) {
        until_look = POLLS_PER_LOOK;
        moved |= detect_failures();
    }
    return moved;
}

void adi3_poll(void) { (void) progress_poll(); }

/* Makes an epoll of a descriptor of a device or a source, and the wake-up socket. */
static void sleep_on(int fd)
{
    if (epoll < 0 && (epoll = os_epoll()) >= 0 && sleep_wake_fd() >= 0)
        (void) os_epoll_set(epoll, sleep_wake_fd(), true, false, NULL);
    if (epoll >= 0)
        (void) os_epoll_set(epoll, fd, true, false, NULL);
}

/* The descriptors of devices with peers and of sources, in one epoll; -1 when there are none. */
static int descriptors(unsigned poll_interval, unsigned *ms)
{
    bool any = false;

    for (int i = 0; i < adi3_ndevs; i++) {
        const struct adi3_dev *d = &adi3_devs[i];
        int fd = d->ops->wait_fd ? d->ops->wait_fd() : -1;
        if (fd < 0) {
            *ms = d->ops->wait_fd ? poll_interval : *ms;
            continue;
        }
        sleep_on(fd);
        any = true;
    }
    for (int i = 0; progress_sources[i]; i++) {
        int fd = progress_sources[i]->wait_fd ? progress_sources[i]->wait_fd() : -1;
        if (fd >= 0)
            sleep_on(fd);
        any |= fd >= 0;
    }
    return any ? epoll : -1;
}

/* Is there anything to do, also for a device or a source that would not wake this process for
 * it? */
static bool work(void)
{
    if (progress_poll())
        return true;
    for (int i = 0; i < adi3_ndevs; i++)
        if (adi3_devs[i].ops->may_sleep && !adi3_devs[i].ops->may_sleep())
            return true;
    for (int i = 0; progress_sources[i]; i++)
        if (progress_sources[i]->may_sleep && !progress_sources[i]->may_sleep())
            return true;
    return false;
}

/* A wait for which a little more spinning would have been enough makes the next ones spin longer, a
 * long one shorter: so ranks whose work is never quite balanced do not pay for wake-ups, and who
 * waits long sleeps. */
static unsigned spin_ns = SPIN_NS;

static void learn(uint64_t waited)
{
    if (waited < LONGEST_SPIN_NS)
        spin_ns = spin_ns < LONGEST_SPIN_NS ? 2 * spin_ns : LONGEST_SPIN_NS;
    else
        spin_ns = spin_ns > SPIN_NS ? spin_ns / 2 : SPIN_NS;
}

/* What w waits for may have become known by now. */
static void look(struct adi3_wait *w)
{
    if (w->look)
        w->look(w);
}

/* The longer it waits, the longer are the intervals of a process that nothing wakes. */
static void sleep_in_kernel(struct adi3_wait *w)
{
    unsigned nap = 1 + w->intervals++ / INTERVALS_PER_MS, ms = SLEEP_TICK_MS;
    int fds = descriptors(nap < MOST_POLL_INTERVAL_MS ? nap : MOST_POLL_INTERVAL_MS, &ms);

    look(w);
    if (!sleep_until_woken(w, work, fds, ms))
        return;
    if (!w->idle)
        learn(os_time_ns() - w->since);
    (void) detect_failures();
}

/* While a message is being copied, to sleep would cost a wake-up. */
static uint64_t patience(const struct adi3_wait *w)
{
    uint64_t copying = w->bytes / BYTES_PER_NS;

    return spin_ns + (copying < MOST_SPIN_NS ? copying : MOST_SPIN_NS);
}

/* True while it is too early to sleep. */
static bool spin(struct adi3_wait *w, unsigned turn)
{
    if (turn % LOOK_AT_CLOCK || turn == 0)
        return true;
    if (turn == LOOK_AT_CLOCK)
        w->since = os_time_ns();
    look(w);
    if (core_shared(w) && !core_leave())
        return false;
    return os_time_ns() - w->since < patience(w);
}

/* Other threads may enter, where there are any. */
static void pause_between(void (*pause)(void))
{
    if (adi3_threads)
        adi3_unlock();
    pause();
    if (adi3_threads)
        adi3_lock();
}

/* A yield that cost a time slice went to a process that does not wait for messages. Where half of
 * the time goes there, as beside busy processes of others, a sleeper is woken sooner: until when
 * there are no more yields. */
static uint64_t dear_until;

static void note_slice(uint64_t before, uint64_t after)
{
    static uint64_t begin, lost;

    if (after - begin > 2 * (uint64_t) LOSS_NS) {
        begin = before;
        lost = 0;
    }
    lost += after - before;
    if (after - begin < LOSS_NS)
        return;
    if (2 * lost > after - begin)
        dear_until = after + DEAR_NS;
    begin = after;
    lost = 0;
}

/* True while it is too early to sleep. */
static bool yield(struct adi3_wait *w, unsigned turn)
{
    uint64_t before = os_time_ns();

    if (turn >= YIELDS || before < dear_until) {
        w->since = before;
        return false;
    }
    pause_between(os_yield);
    uint64_t after = os_time_ns();
    if (after - before > SLICE_NS)
        note_slice(before, after);
    return true;
}

/* Where messages come without end others get the lock now and then. */
static void go_on(void)
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
    if (progress_poll()) {
        w->turns = 0;
        go_on();
        return;
    }
    unsigned turn = w->turns++;
    if (adi3_node.oversubscribed && !w->idle && yield(w, turn))
        return;
    if (!adi3_node.oversubscribed && !w->idle && spin(w, turn)) {
        if (adi3_threads)
            pause_between(turn < LOOK_AT_CLOCK || thread_sleepers ? os_yield : os_relax);
        else if (turn >= LOOK_AT_CLOCK)
            os_relax(); /* who works may have the other half of this core */
        return;
    }
    sleep_in_kernel(w);
    w->turns = 0;
}

void progress_finalize(void)
{
    assert(adi3_lock_held());
    if (epoll >= 0)
        (void) close(epoll);
    epoll = -1;
    sleep_finalize();
}
