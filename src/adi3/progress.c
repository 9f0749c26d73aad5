/* progress.c — moving messages, and the one place where this process waits.
 *
 * With a core for each process a waiter spins for about as long as a wake-up would take twice over;
 * when processes outnumber cores it lets others run first, a few times. Then it sleeps in the
 * kernel until a sender wakes it. Twice a second it looks whether anybody died meanwhile. */
#include <unistd.h>
#include "adi3_impl.h"

enum { SPIN_NS = 20000, YIELDS = 20, LOOK_AT_CLOCK = 32 };

const char *adi3_call;

static int epoll = -1;

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

    node_sleep(w, progress_poll, descriptors());
    if (os_time_ns() - before > 400000000)
        bury_the_dead();
}

void adi3_wait_turn(struct adi3_wait *w)
{
    if (progress_poll()) {
        w->turns = 0;
        return;
    }
    unsigned turn = w->turns++;
    if (node_crowded()) {
        if (turn < YIELDS) {
            os_yield();
            return;
        }
    } else if (turn % LOOK_AT_CLOCK) {
        return;
    } else if (turn == 0) {
        w->since = os_time_ns();
        return;
    } else if (os_time_ns() - w->since < SPIN_NS) {
        return;
    }
    sleep_until_woken(w);
    w->turns = 0;
}

void progress_finalize(void)
{
    if (epoll >= 0)
        (void) close(epoll);
    epoll = -1;
}
