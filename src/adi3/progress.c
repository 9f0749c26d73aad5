/* progress.c — moving messages, and the one place where this process waits.
 *
 * With a core for each process a waiter spins for about as long as a wake-up would take twice
 * over, and longer while a large message is under way; but when the scheduler has put another busy
 * process on its core, it sleeps at once, and the wake-up finds it another core. When processes
 * outnumber cores it lets others run first, a few times, and then sleeps. Sleep is in the kernel,
 * until a sender ends it. Twice a second it looks whether anybody died meanwhile. */
#include <unistd.h>
#include "adi3_impl.h"

enum {
    SPIN_NS = 20000,
    MOST_SPIN_NS = 1000000,
    BYTES_PER_NS = 8, /* what a large message is given at least */
    YIELDS = 20,
    LOOK_AT_CLOCK = 16, /* turns: a message that comes at once costs no look */
    LOOK_NS = 490000000,
    POLLS_PER_LOOK = 4096,
    LAST_WORDS = 1000, /* polls */
};

const char *adi3_call;

static int epoll = -1;

static void move(bool *moved)
{
    for (int i = 0; i < adi3_ndevs; i++)
        *moved |= adi3_devs[i].ops->poll();
}

/* What a process had sent when it died is taken first. */
static void bury(int rank)
{
    bool moved = true;

    for (int i = 0; i < LAST_WORDS && moved; i++) {
        moved = false;
        move(&moved);
    }
    proc_died(&adi3_procs[rank]);
}

/* Twice a second, also when there is always something to do; true when somebody was found. */
__attribute__((noinline)) static bool look_for_the_dead(void)
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
            bury(rank);
            found = true;
        }
    }
    return found;
}

bool progress_poll(void)
{
    static unsigned polls;
    bool moved = false;

    move(&moved);
    if (__builtin_expect(proto_reads != NULL, 0)) {
        proto_read();
        moved = true;
    }
    if (__builtin_expect(++polls % POLLS_PER_LOOK == 0, 0))
        moved |= look_for_the_dead();
    return moved;
}

void adi3_poll(void) { (void) progress_poll(); }

/* The descriptors of devices with peers, in one epoll; -1 when there are none. */
static int descriptors(void)
{
    bool any = false;

    for (int i = 0; i < adi3_ndevs; i++) {
        const struct adi3_dev *d = &adi3_devs[i];
        int fd = d->ops->wait_fd ? d->ops->wait_fd() : -1;
        if (fd < 0)
            continue;
        if (epoll < 0 && (epoll = os_epoll()) >= 0 && node_wake_fd() >= 0)
            (void) os_epoll_set(epoll, node_wake_fd(), true, false, NULL);
        if (epoll >= 0)
            (void) os_epoll_set(epoll, fd, true, false, NULL);
        any = true;
    }
    return any ? epoll : -1;
}

static void sleep_until_woken(const struct adi3_wait *w)
{
    if (node_sleep(w, progress_poll, descriptors()))
        (void) look_for_the_dead();
}

/* A message that has been announced is being copied: to sleep meanwhile would cost a wake-up. */
static uint64_t patience(const struct adi3_request *r)
{
    if (!r || (r->kind == ADI3_RECV && r->state != ADI3_ACTIVE))
        return SPIN_NS;
    uint64_t copying = r->len / BYTES_PER_NS;
    return SPIN_NS + (copying < MOST_SPIN_NS ? copying : MOST_SPIN_NS);
}

/* True while it is too early to sleep. */
static bool spin(struct adi3_wait *w, unsigned turn)
{
    if (turn % LOOK_AT_CLOCK || turn == 0)
        return true;
    if (turn == LOOK_AT_CLOCK)
        w->since = os_time_ns();
    return !node_shares_core(w) && os_time_ns() - w->since < patience(w->on);
}

static bool yield(struct adi3_wait *w, unsigned turn)
{
    if (turn == YIELDS)
        w->since = os_time_ns();
    else
        os_yield();
    return turn < YIELDS;
}

void adi3_wait_turn(struct adi3_wait *w)
{
    if (progress_poll()) {
        w->turns = 0;
        return;
    }
    unsigned turn = w->turns++;
    if (node_crowded() ? yield(w, turn) : spin(w, turn))
        return;
    sleep_until_woken(w);
    w->turns = 0;
}

void progress_finalize(void)
{
    if (epoll >= 0)
        (void) close(epoll);
    epoll = -1;
}
