/* threads.c — several threads in one process: the lock, and who of those that wait moves messages.
 *
 * Of the threads that wait one leads: it polls, spins and sleeps for all. The others sleep on a
 * word of their own until their request is done, or the leader leaves and the next one leads. The
 * lock is held in all calls, and dropped while a thread sleeps, spins, or runs what may take long.
 *
 * With STARLING_ASYNC_PROGRESS a thread of ours leads while no other waits, so that messages move
 * while the program computes; it sleeps until there is something to do. */
#include <string.h>
#include "progress_impl.h"

bool adi3_async;
unsigned thread_sleepers;

static struct adi3_wait *leader;
static struct adi3_wait *first, **last = &first; /* who waits while another one leads */

static struct os_thread async_thread;
static bool async_ends;

static void wake(struct adi3_wait *w)
{
    atomic_store_explicit(&w->called, 1, memory_order_relaxed);
    os_futex_wake(&w->called, 1);
}

static bool concerns(const struct adi3_wait *w, const void *object)
{
    return !w->idle && (!w->on || w->on == object);
}

void thread_wake_waiter(struct adi3_wait *w)
{
    if (w != leader)
        wake(w);
    else if (leader->asleep)
        sleep_wake_self();
}

__attribute__((noinline)) void thread_signal(const void *object)
{
    for (struct adi3_wait *w = first; w; w = w->next)
        if (concerns(w, object))
            wake(w);
    if (leader && leader->asleep && concerns(leader, object))
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

/* Sleeps while another one leads. */
static void follow(struct adi3_wait *w)
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
            sleep_wake_self(); /* it must not sleep where w will */
        leader = w;
    }
    if (!leader)
        leader = w;
    if (leader == w)
        return true;
    follow(w);
    return false;
}

void thread_wait_end(const struct adi3_wait *w)
{
    struct adi3_wait *next = first;

    if (leader == w)
        leader = NULL;
    while (next && next->idle && next->next)
        next = next->next;
    if (!leader && next)
        wake(next);
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

/* ---- asynchronous progress ------------------------------------------------------------------- */

static void *run(void *nothing)
{
    struct adi3_wait w = { .idle = true };

    adi3_lock();
    while (!async_ends)
        adi3_wait_turn(&w);
    adi3_wait_end(&w);
    adi3_unlock();
    return nothing;
}

int thread_init(bool several)
{
    adi3_threads = several || adi3_async;
    async_ends = false;
    int err = adi3_async ? os_thread_start(&async_thread, run) : 0;
    if (err)
        return adi3_error(MPI_ERR_OTHER, "STARLING_ASYNC_PROGRESS: no thread: %s", strerror(-err));
    return MPI_SUCCESS;
}

/* The caller holds the lock. */
void thread_finalize(void)
{
    if (!adi3_async)
        return;
    async_ends = true;
    for (struct adi3_wait *w = first; w; w = w->next)
        wake(w);
    sleep_wake_self();
    adi3_unlock();
    os_thread_join(&async_thread);
    adi3_lock();
}
