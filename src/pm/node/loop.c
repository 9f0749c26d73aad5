/* loop.c — waits for descriptors and timers, and calls their handlers. */
#include "pm/node/loop.h"
#include "platform/os.h"

enum { EVENTS = 64 };

static int epoll = -1;
static struct pm_timer *timers; /* sorted by due_ns */
static struct pm_source *first_source;

int pm_loop_open(void)
{
    epoll = os_epoll();
    return epoll < 0 ? epoll : 0;
}

int pm_loop_watch(int fd, bool readable, bool writable, struct pm_source *s)
{
    return os_epoll_set(epoll, fd, readable, writable, s);
}

void pm_loop_drop(int fd) { os_epoll_drop(epoll, fd); }

void pm_loop_prioritize(struct pm_source *s) { first_source = s; }

void pm_timer_clear(struct pm_timer *t)
{
    struct pm_timer **at = &timers;

    while (*at && *at != t)
        at = &(*at)->next;
    if (*at)
        *at = t->next;
    t->due_ns = 0;
}

void pm_timer_set(struct pm_timer *t, int ms, void (*fire)(struct pm_timer *t))
{
    struct pm_timer **at = &timers;

    pm_timer_clear(t);
    t->fire = fire;
    t->due_ns = os_time_ns() + (uint64_t) ms * 1000000;
    while (*at && (*at)->due_ns <= t->due_ns)
        at = &(*at)->next;
    t->next = *at;
    *at = t;
}

bool pm_timer_is_set(const struct pm_timer *t) { return t->due_ns != 0; }

static int until_timer(void)
{
    uint64_t now = timers ? os_time_ns() : 0;

    if (!timers)
        return -1;
    if (timers->due_ns <= now)
        return 0;
    uint64_t ms = (timers->due_ns - now) / 1000000 + 1;
    return ms < 1000000 ? (int) ms : 1000000;
}

static void fire_timers(void)
{
    uint64_t now = timers ? os_time_ns() : 0;

    while (timers && timers->due_ns <= now) {
        struct pm_timer *t = timers;
        pm_timer_clear(t);
        t->fire(t);
    }
}

/* The sources that are ready now and have not been handled yet; others are NULL. */
static void *ready[EVENTS];
static int readies;

void pm_loop_forget(const struct pm_source *s)
{
    for (int i = 0; i < readies; i++)
        if (ready[i] == s)
            ready[i] = NULL;
}

void pm_loop_once(bool wait)
{
    readies = os_epoll_wait(epoll, ready, EVENTS, wait ? until_timer() : 0);
    for (int i = 0; i < readies; i++)
        if (ready[i] && ready[i] == first_source)
            first_source->ready(first_source);
    for (int i = 0; i < readies; i++) {
        struct pm_source *s = ready[i];
        if (s && s != first_source)
            s->ready(s);
    }
    readies = 0;
    fire_timers();
}
