/* async.c — asynchronous progress: a thread of the library that moves messages while the program
 * computes.
 *
 * With STARLING_ASYNC_PROGRESS=on, and wherever several threads may call, it is one of the threads
 * that wait: it leads while no other one does, and sleeps until there is something to do.
 *
 * With auto, beside a program of one thread, it only serves: it runs while the program is in no
 * call, by the biased lock of base/lock.c. While the program calls often it dozes, since calls
 * move messages themselves, and a sleeper would be woken for each. When a tick has passed without a
 * call it sleeps where the program would sleep in a call, on the same word and descriptors, until
 * something comes. It rests, without ticks, while the program sleeps in a call or has nothing to
 * be served. */
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include "adi3/progress/progress_impl.h"

enum {
    TICK_NS = 500000,      /* of a doze */
    TICKS_PER_SERVICE = 2, /* of a program that is in and out of calls, which may not poll */
    TICKS_TO_REST = 10,    /* in one call */
};

static unsigned needed;
static struct os_thread async_thread;
static bool running;
static int event = -1; /* an eventfd: ends each sleep of the thread */
static _Atomic bool ends;
static _Atomic bool may_rest = true; /* the program sleeps in a call, or needs no service */
static _Atomic bool rests;           /* the thread sleeps until may_rest is false */
static _Atomic bool listens;         /* the thread sleeps on the word and the descriptors */

/* Sleeps until the event, or until fd is readable, if it is not -1; ns UINT64_MAX: without end.
 * False when the time has passed. */
static bool sleep_for(int fd, uint64_t ns)
{
    const struct timespec t = { (time_t) (ns / 1000000000), (long) (ns % 1000000000) };
    struct pollfd fds[2] = { { .fd = event, .events = POLLIN }, { .fd = fd, .events = POLLIN } };
    bool woken = ppoll(fds, fd < 0 ? 1 : 2, ns == UINT64_MAX ? NULL : &t, NULL) != 0;
    uint64_t count;

    if (fds[0].revents)
        (void) !read(event, &count, sizeof count);
    return woken;
}

static void wake_thread(void)
{
    const uint64_t one = 1;

    (void) !write(event, &one, sizeof one);
}

/* ---- among threads that wait ----------------------------------------------------------------- */

static void *async_thread_lead(void *nothing)
{
    struct adi3_wait w = { .idle = true };

    adi3_lock();
    while (!atomic_load(&ends)) {
        if (adi3_async || needed) {
            adi3_wait_turn(&w);
            continue;
        }
        adi3_wait_end(&w);
        adi3_unlock();
        sleep_for(-1, UINT64_MAX);
        adi3_lock();
    }
    adi3_wait_end(&w);
    adi3_unlock();
    return nothing;
}

/* ---- beside a program of one thread ---------------------------------------------------------- */

static bool in_vain; /* the last sleep has passed a whole tick without a wake-up */

/* Moves what there is, until the program calls. True when nothing is left. */
static bool has_served_all(struct adi3_wait *w)
{
    bool moved = true;

    async_serves = true;
    while (moved && !base_inside())
        if ((moved = progress_has_work()))
            w->intervals = 0;
    progress_detect_failures();
    async_serves = false;
    return !moved;
}

/* Sleeps until something comes; the lock is held at the beginning and dropped. The word belongs to
 * the thread until the program sleeps: as in sleep.c. */
static void listen_for_work(struct adi3_wait *w)
{
    struct node_slot *s = node_slot(adi3_node.index);
    unsigned ms = SLEEP_TICK_MS;
    int fds = progress_descriptors(progress_interval(w), &ms);

    fds = fds < 0 ? sleep_wake_fd() : fds;
    atomic_store_explicit(&s->asleep, DEV_ASLEEP_EPOLL, memory_order_relaxed);
    os_membarrier();
    bool idle = has_served_all(w);
    sleep_counts.all += idle;
    if (idle)
        atomic_store(&listens, true);
    else
        atomic_store_explicit(&s->asleep, DEV_AWAKE, memory_order_relaxed);
    base_serve_end();
    in_vain = idle && !sleep_for(fds, ms * 1000000ull) && ms == SLEEP_TICK_MS;
    atomic_store(&listens, false);
}

/* The program is not in a call, nor was it since the last look. */
static void serve_computing(struct adi3_wait *w)
{
    struct node_slot *s = node_slot(adi3_node.index);

    if (!base_serve_begin())
        return;
    in_vain &= atomic_exchange(&s->asleep, DEV_AWAKE) == DEV_ASLEEP_EPOLL;
    sleep_counts.in_vain += in_vain;
    sleep_counts.late += in_vain && progress_has_work();
    in_vain = false;
    sleep_take_wakes();
    if (has_served_all(w))
        listen_for_work(w);
    else
        base_serve_end();
}

/* The program is in a call, or was since the last look. still: looks since the last change. */
static void async_thread_doze(unsigned still, unsigned ticks, struct adi3_wait *w)
{
    if (ticks % TICKS_PER_SERVICE == 0 && base_serve_begin()) {
        (void) has_served_all(w);
        base_serve_end();
    }
    if (still < TICKS_TO_REST) {
        sleep_for(-1, TICK_NS);
        return;
    }
    atomic_store(&rests, true);
    sleep_for(-1, atomic_load(&may_rest) ? UINT64_MAX : TICK_NS);
    atomic_store(&rests, false);
}

static void *serve_program(void *nothing)
{
    struct adi3_wait w = { .idle = true };
    unsigned still = 0, ticks = 0;

    while (!atomic_load(&ends)) {
        still = base_moved() ? 0 : still + 1;
        if (still > 0 && !base_inside()) {
            serve_computing(&w);
            ticks = 0;
        } else
            async_thread_doze(still, ticks++, &w);
    }
    return nothing;
}

/* `running` is written while threads that have a lock of their own run already. */
static bool is_beside_single_thread(void) { return adi3_locks && !adi3_threads && running; }

static void sleep_begins(void)
{
    if (!is_beside_single_thread())
        return;
    atomic_store(&may_rest, true);
    if (atomic_load(&listens))
        wake_thread(); /* the word is the program's now */
}

static void end_rest(void)
{
    atomic_store(&may_rest, false);
    if (atomic_load(&rests))
        wake_thread();
}

static void sleep_ends(void)
{
    if (is_beside_single_thread())
        end_rest();
}

/* ---- life ------------------------------------------------------------------------------------ */

/* Returns a negative errno. */
static int async_thread_start(void)
{
    atomic_store(&ends, false);
    if (event < 0)
        event = os_new_fd(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    int err = event < 0 ? -errno
                        : os_thread_start(&async_thread,
                                          adi3_threads ? async_thread_lead : serve_program);
    running = !err;
    return err;
}

/* In a program with threads the thread needs the lock to end, and gets it meanwhile; else it takes
 * no lock that is held here. */
static void async_thread_stop(void)
{
    atomic_store(&ends, true);
    wake_thread();
    if (adi3_threads) {
        thread_wake_all();
        adi3_unlock();
    }
    os_thread_join(&async_thread);
    if (adi3_threads)
        adi3_lock();
    running = false;
}

/* Without the thread, windows are served in calls only. */
static void warn_once(int err)
{
    static bool warned;

    if (!warned && adi3_warn)
        adi3_warn(adi3_error_text(adi3_error(
            MPI_ERR_OTHER,
            "STARLING_ASYNC_PROGRESS=auto: no thread (%s): windows are served in MPI calls only",
            strerror(-err))));
    warned = true;
}

void async_need(void)
{
    assert(adi3_lock_held());
    if (needed++ || !async_may_serve)
        return;
    int err = running ? 0 : async_thread_start();
    if (err)
        warn_once(err);
    else if (adi3_threads)
        wake_thread();
    else {
        base_bias_lock(adi3_node.fences);
        end_rest();
    }
}

void async_unneed(void)
{
    assert(adi3_lock_held() && needed > 0);
    if (--needed || !async_may_serve)
        return;
    base_unbias_lock();
    atomic_store(&may_rest, true);
}

void async_hold(void)
{
    if (running && !adi3_threads)
        async_thread_stop();
}

void async_resume(void)
{
    if (needed && async_may_serve && !running && !adi3_threads)
        (void) async_thread_start();
}

int thread_init(bool several)
{
    adi3_threads = adi3_locks = several || adi3_async;
    sleep_begins_hook = sleep_begins;
    sleep_ends_hook = sleep_ends;
    int err = adi3_async ? async_thread_start() : 0;
    if (err)
        return adi3_error(MPI_ERR_OTHER, "STARLING_ASYNC_PROGRESS: no thread: %s", strerror(-err));
    return MPI_SUCCESS;
}

void thread_finalize(void)
{
    assert(adi3_lock_held());
    if (running)
        async_thread_stop();
    if (event >= 0)
        (void) close(event);
    event = -1;
    base_unbias_lock();
}
