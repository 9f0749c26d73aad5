/* sleep.c — sleeping in the kernel until another process, or another thread, wakes this one.
 *
 * A process sleeps on the futex word in its slot of the node's segment or, when devices with
 * descriptors have peers, in epoll, where a datagram to its wake-up socket ends the sleep. Before
 * it sleeps it writes the control line, from which other processes read what it waits for. */
#include <errno.h>
#include <string.h>
#include "adi3/progress/progress_impl.h"

struct sleep_counts sleep_counts;
void (*sleep_begins_hook)(void), (*sleep_ends_hook)(void);

static void copy_text(char *to, size_t room, const char *text)
{
    size_t len = text ? strnlen(text, room - 1) : 0;

    memcpy(to, len ? text : "", len);
    to[len] = '\0';
}

/* Writes what w waits for into the control line, which other processes can read meanwhile. */
static void write_control(struct node_slot *s, const struct adi3_wait *w)
{
    const struct adi3_proc *on = w->peer ? proc_of(w->peer) : NULL;

    s->on = !on ? MPI_ANY_SOURCE : proc_job_of(on) == &proc_own_job ? proc_rank(on) : MPI_UNDEFINED;
    s->since = w->since;
    copy_text(s->call, sizeof s->call, adi3_current.call);
    copy_text(s->what, sizeof s->what, w->what);
    atomic_store_explicit(&s->state, NODE_SLEEPS, memory_order_release);
}

/* Sleeps. True when a whole tick has passed without a wake-up, and none is about to come. */
static bool sleep_in_vain(struct adi3_wait *w, enum dev_sleep how, int epoll, unsigned ms)
{
    struct node_slot *s = node_slot(adi3_node.index);
    void *ready[8];

    thread_sleep_begins(w);
    if (sleep_begins_hook)
        sleep_begins_hook();
    bool in_vain = how == DEV_ASLEEP ? os_futex_wait(&s->asleep, how, ms * 1000000ull) == -ETIMEDOUT
                                     : !os_epoll_wait(epoll, ready, 8, (int) ms)
                                           && !os_epoll_wait(epoll, ready, 8, 0);
    if (sleep_ends_hook)
        sleep_ends_hook();
    if (!thread_sleep_ends(w))
        return false; /* the word belongs to the thread that leads now */
    in_vain &= atomic_exchange(&s->asleep, DEV_AWAKE) == how && ms == SLEEP_TICK_MS;
    atomic_store_explicit(&s->state, NODE_RUNS, memory_order_relaxed);
    if (how == DEV_ASLEEP_EPOLL)
        sleep_take_wakes();
    sleep_counts.all++;
    sleep_counts.in_vain += in_vain;
    return in_vain;
}

/* A sender writes its message, then reads the word `asleep`. The sleeper sets the word, orders the
 * memory of all processes by membarrier(), and looks for work once more: at least one of the two
 * sees the other. Work that is found after a whole tick is a wake-up that did not come. */
bool sleep_until_woken(struct adi3_wait *w, bool (*work)(void), int epoll, unsigned ms)
{
    struct node_slot *s = node_slot(adi3_node.index);
    enum dev_sleep how = epoll < 0 ? DEV_ASLEEP : DEV_ASLEEP_EPOLL;

    atomic_store_explicit(&s->asleep, how, memory_order_relaxed);
    os_membarrier();
    if (work()) {
        atomic_store_explicit(&s->asleep, DEV_AWAKE, memory_order_relaxed);
        return false;
    }
    write_control(s, w);
    if (sleep_in_vain(w, how, epoll, ms))
        sleep_counts.late += work();
    return true;
}
