/* wait.c — calls that wait at ports. While there are any, an epoll with their descriptors and a
 * timer is a source of progress: the process sleeps on it, and moves messages meanwhile. */
#include <string.h>
#include <unistd.h>
#include "adi3/port/port_impl.h"

enum { LOOK_NS = 20000 }; /* a look at the epoll costs more than a poll of memory */

static struct port_wait *waits;
static int epoll = -1, timer = -1;
static uint64_t next_time = UINT64_MAX, timer_at = UINT64_MAX, last_look;

int port_watch(int fd, bool writable) { return os_epoll_set(epoll, fd, true, writable, NULL); }

void port_unwatch(int fd)
{
    if (epoll >= 0 && fd >= 0)
        os_epoll_drop(epoll, fd);
}

void port_wait_until(uint64_t at)
{
    if (at < next_time)
        next_time = at;
}

static void serve_all(void)
{
    next_time = UINT64_MAX;
    for (struct port_wait *w = waits; w; w = w->next) {
        w->serve(w->arg);
        port_wait_until(w->end);
    }
    if (next_time != timer_at || next_time <= os_time_ns())
        os_timer_set(timer, next_time);
    timer_at = next_time;
}

void port_waits_wake(void)
{
    for (struct port_wait *w = waits; w && adi3_threads; w = w->next)
        thread_wake_waiter(&w->turn);
}

/* A sleep ends when the epoll is readable, whether or not it is looked at here. */
static bool poll_ports(void)
{
    uint64_t now = os_time_ns();
    void *ready[1];

    if (now - last_look < LOOK_NS)
        return false;
    last_look = now;
    if (os_epoll_wait(epoll, ready, 1, 0) <= 0)
        return false;
    serve_all();
    port_waits_wake();
    return true;
}

static int ports_descriptor(void) { return epoll; }

struct progress_source port_source = { .name = "ports",
                                       .poll = poll_ports,
                                       .wait_fd = ports_descriptor };

static void source_close(void)
{
    progress_unwant(&port_source);
    if (timer >= 0)
        (void) close(timer);
    if (epoll >= 0)
        (void) close(epoll);
    epoll = timer = -1;
    timer_at = UINT64_MAX;
}

/* A thread that sleeps does not know the epoll yet. */
static int source_open(void)
{
    int err = epoll = os_epoll();

    if (err >= 0)
        err = timer = os_timer();
    if (err >= 0)
        err = port_watch(timer, false);
    if (err < 0) {
        source_close();
        return adi3_error(MPI_ERR_OTHER, "no descriptor to wait at a port with: %s",
                          strerror(-err));
    }
    progress_want(&port_source);
    if (adi3_threads)
        thread_wake_all();
    return MPI_SUCCESS;
}

int port_wait_begin(struct port_wait *w, const char *what)
{
    const struct adi3_port_wait *user = w->user;
    int err = waits ? MPI_SUCCESS : source_open();

    assert(adi3_lock_held());
    if (err)
        return err;
    w->end =
        user->seconds < 0 ? UINT64_MAX : os_time_ns() + port_ms(1000) * (uint64_t) user->seconds;
    w->turn = (struct adi3_wait) { .on = w, .what = what };
    w->next = waits;
    waits = w;
    if (user->fd >= 0)
        (void) port_watch(user->fd, false);
    return MPI_SUCCESS;
}

int port_wait_turn(struct port_wait *w, bool *late)
{
    int err = w->user->look ? w->user->look(w->user->arg) : MPI_SUCCESS;

    if (err)
        return err;
    *late = os_time_ns() >= w->end;
    if (!w->begun)
        serve_all();
    else if (!*late)
        adi3_wait_turn(&w->turn);
    w->begun = true;
    return MPI_SUCCESS;
}

/* Calls of several threads may wait for one descriptor. */
static bool is_awaited(int fd)
{
    const struct port_wait *w = waits;

    while (w && w->user->fd != fd)
        w = w->next;
    return w;
}

void port_wait_end(struct port_wait *w)
{
    struct port_wait **at = &waits;

    while (*at != w)
        at = &(*at)->next;
    *at = w->next;
    if (!waits)
        source_close();
    else if (!is_awaited(w->user->fd))
        port_unwatch(w->user->fd);
    adi3_wait_end(&w->turn);
}
