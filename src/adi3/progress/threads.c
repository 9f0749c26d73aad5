/* threads.c — several threads that wait in one process: one of them moves messages for all.
 *
 * One of the threads that wait is the leader: it polls, spins and sleeps for all. The others
 * follow: each sleeps on a futex word of its own until its request is done, or the leader
 * returns and the next thread leads. All calls hold the lock; a thread drops it while it sleeps,
 * spins, or runs what may take long. */
#include "adi3/progress/progress_impl.h"

unsigned thread_sleepers;

static struct adi3_wait *leader;
static struct adi3_wait *first, **last = &first; /* calls that wait while another one leads */

static void waiter_wake(struct adi3_wait *w)
{
    atomic_store_explicit(&w->called, 1, memory_order_relaxed);
    os_futex_wake(&w->called, 1);
}

/* Whether a signal for object wakes w. */
static bool is_waiter_concerned(const struct adi3_wait *w, const void *object)
{
    return !w->idle && (!w->on || w->on == object);
}

void thread_wake_waiter(struct adi3_wait *w)
{
    assert(adi3_lock_held());
    if (w != leader)
        waiter_wake(w);
    else if (leader->asleep)
        sleep_wake_self();
}

__attribute__((noinline)) void thread_signal(const void *object)
{
    assert(adi3_lock_held());
    for (struct adi3_wait *w = first; w; w = w->next)
        if (is_waiter_concerned(w, object))
            waiter_wake(w);
    if (leader && leader->asleep && is_waiter_concerned(leader, object))
        sleep_wake_self();
}

void thread_wake_all(void)
{
    for (struct adi3_wait *w = first; w; w = w->next)
        waiter_wake(w);
    sleep_wake_self();
}

static void sleep_begins(struct adi3_wait *w)
{
    thread_sleepers += !w->idle;
    adi3_unlock();
}

static void sleep_ends(struct adi3_wait *w)
{
    adi3_lock();
    thread_sleepers -= !w->idle;
}

/* Sleeps while another thread leads. */
static void waiter_follow(struct adi3_wait *w)
{
    atomic_store_explicit(&w->called, 0, memory_order_relaxed);
    w->next = NULL;
    *last = w;
    last = &w->next;
    sleep_begins(w);
    (void) os_futex_wait(&w->called, 0, SLEEP_TICK_MS * 1000000ull);
    sleep_ends(w);
    struct adi3_wait **at = &first;
    while (*at != w)
        at = &(*at)->next;
    if (!(*at = w->next))
        last = at;
}

bool thread_leads(struct adi3_wait *w)
{
    if (leader && leader->idle && !w->idle) {
        if (leader->asleep)
            sleep_wake_self(); /* two threads must not sleep on the one word */
        leader = w;
    }
    if (!leader)
        leader = w;
    if (leader == w)
        return true;
    waiter_follow(w);
    return false;
}

void thread_wait_end(const struct adi3_wait *w)
{
    struct adi3_wait *next = first;

    assert(adi3_lock_held());
    assert(!w->asleep);
    if (leader == w)
        leader = NULL;
    while (next && next->idle && next->next)
        next = next->next;
    if (!leader && next)
        waiter_wake(next);
}

void thread_sleep_begins(struct adi3_wait *w)
{
    if (!adi3_threads)
        return;
    w->asleep = true;
    sleep_begins(w);
}

bool thread_sleep_ends(struct adi3_wait *w)
{
    if (!adi3_threads)
        return true;
    sleep_ends(w);
    w->asleep = false;
    return leader == w;
}
