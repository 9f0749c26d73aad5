/* progress.c — moving messages, and the one place where this process waits.
 *
 * With a core for each process a waiter spins for about as long as a wake-up would take twice over;
 * when processes outnumber cores it lets others run first, a few times. Then it sleeps in the
 * kernel until a sender wakes it. Twice a second it looks whether anybody died meanwhile.
 *
 * Other programs may leave us fewer cores than we counted. When a sleep after spinning in vain is
 * shorter than a wake-up from another core takes, the sender may have been waiting for this core:
 * then less is spun, but for a trial now and then, and when a trial succeeds all is as before. */
#include <unistd.h>
#include "adi3_impl.h"

enum {
    SPIN_NS = 20000,
    LEAST_SPIN_NS = 1000,
    SAME_CORE_NS = 7000,
    YIELDS = 20,
    LOOK_AT_CLOCK = 16, /* turns */
    TRIAL_EVERY = 32,   /* waits */
};

const char *adi3_call;

static int epoll = -1;
static uint64_t spin_ns = SPIN_NS;

bool progress_poll(void)
{
    bool moved = false;

    for (int i = 0; i < adi3_ndevs; i++)
        moved |= adi3_devs[i].ops->poll();
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

static void bury_the_dead(void)
{
    for (int i = 0; i < adi3_node.count; i++) {
        int rank = adi3_node.world_rank(i);
        if (i == adi3_node.index || rank < 0 || rank >= adi3_job.size || adi3_procs[rank].lost)
            continue;
        if (!adi3_node.alive(i))
            proc_died(&adi3_procs[rank]);
    }
}

static void sleep_until_woken(struct adi3_wait *w)
{
    uint64_t before = os_time_ns();

    if (!node_sleep(w, progress_poll, descriptors()))
        return;
    uint64_t slept = os_time_ns() - before;
    if (slept > SAME_CORE_NS)
        spin_ns = SPIN_NS;
    else if (spin_ns > LEAST_SPIN_NS)
        spin_ns /= 2;
    if (slept > 400000000)
        bury_the_dead();
}

/* True while it is too early to sleep. */
static bool spin(struct adi3_wait *w, unsigned turn)
{
    static unsigned waits;

    if (turn == 0) {
        w->since = os_time_ns();
        w->trial = spin_ns < SPIN_NS && ++waits % TRIAL_EVERY == 0;
    }
    return turn % LOOK_AT_CLOCK || turn == 0
           || os_time_ns() - w->since < (w->trial ? SPIN_NS : spin_ns);
}

static bool yield(unsigned turn)
{
    if (turn >= YIELDS)
        return false;
    os_yield();
    return true;
}

void adi3_wait_turn(struct adi3_wait *w)
{
    if (progress_poll()) {
        if (w->trial)
            spin_ns = SPIN_NS;
        w->turns = 0;
        w->trial = false;
        return;
    }
    unsigned turn = w->turns++;
    if (node_crowded() ? yield(turn) : spin(w, turn))
        return;
    sleep_until_woken(w);
    w->turns = 0;
    w->trial = false;
}

void progress_finalize(void)
{
    if (epoll >= 0)
        (void) close(epoll);
    epoll = -1;
}
