/* yields.c — whether a waiting process of an oversubscribed node yields its core or sleeps.
 *
 * A yield that takes a whole time slice has run a process that does not wait for messages. When
 * such yields take half of a window of time, other users may keep the core busy: a sleeper then
 * runs again sooner than a process that yields. Ranks of the job that compute, copy or touch new
 * memory take slices as well, but they need the core to come to the end of that, and soon wait
 * themselves. So the processor clocks of the node's ranks, those of connected jobs, too, read at
 * both ends of the window, tell whether ranks ran. */
#include <stdlib.h>
#include "adi3/progress/progress_impl.h"

enum {
    SLICE_NS = 1000000,
    WINDOW_NS = 20000000,
    FIRST_BAN_NS = 10000000, /* without yields; twice as long each time, up to: */
    LONGEST_BAN_NS = 200000000,
};

static struct {
    uint64_t begin, lost; /* ns; lost to slow yields */
    uint64_t *used;       /* by segment and slot: processor time at the begin, ns */
    int count;            /* of used */
} window;
static uint64_t banned_until, ban = FIRST_BAN_NS;
struct yield_counts yield_counts;

/* ns; 0: the process is in another pid namespace, where its pid names another process here. */
static uint64_t processor_time(const struct dev_node *n, int index)
{
    const struct node_slot *s = node_slot_in(n, index), *own = node_slot(adi3_node.index);
    bool here = s->pid_namespace && s->pid_namespace == own->pid_namespace;

    return here ? os_processor_ns(s->pid) : 0;
}

/* Without memory no rank counts as having run. */
static void window_resize(int count)
{
    uint64_t *more =
        count > window.count ? realloc(window.used, (size_t) count * sizeof *more) : NULL;

    if (!more)
        return;
    window.used = more;
    window.count = count;
}

static void window_open(uint64_t now)
{
    int count = 0, at = 0;

    window.begin = now;
    window.lost = 0;
    for (const struct dev_node *n = &adi3_node; n; n = node_next(n))
        count += n->count;
    window_resize(count);
    for (const struct dev_node *n = &adi3_node; n; n = node_next(n))
        for (int i = 0; i < n->count && at < window.count; i++)
            window.used[at++] = processor_time(n, i);
}

/* Whether ranks have used the time that yields have lost: the other ranks that were last on this
 * core three quarters of it, or all ranks four fifths of the node's cores. The kernel may have
 * moved ranks within the window, hence the second. A job that has come or gone within the window
 * makes the answer a random one, which holds for a window. */
static bool ranks_have_run(uint64_t now)
{
    uint64_t here = 0, all = 0;
    int cpu = os_cpu(), at = 0;

    for (const struct dev_node *n = &adi3_node; n; n = node_next(n))
        for (int i = 0; i < n->count && at < window.count; i++, at++) {
            uint64_t time = processor_time(n, i),
                     ran = time > window.used[at] ? time - window.used[at] : 0;
            all += ran;
            if (i != n->index && core_of(n, i) == cpu)
                here += ran;
        }
    return here >= window.lost / 4 * 3
           || all >= (now - window.begin) / 5 * 4 * (uint64_t) adi3_node.cores;
}

static void window_close(uint64_t now)
{
    if (2 * window.lost <= now - window.begin || ranks_have_run(now)) {
        ban = FIRST_BAN_NS;
        window_open(now);
        return;
    }
    yield_counts.bans++;
    banned_until = now + ban;
    ban = 2 * ban < LONGEST_BAN_NS ? 2 * ban : LONGEST_BAN_NS;
    window.begin = 0;
}

bool yields_are_banned(uint64_t now) { return now < banned_until; }

void yields_note(uint64_t before, uint64_t after)
{
    if (after - before <= SLICE_NS)
        return;
    core_note();
    if (after - window.begin > 2 * (uint64_t) WINDOW_NS) {
        if (after - banned_until > 2 * (uint64_t) WINDOW_NS)
            ban = FIRST_BAN_NS;
        window_open(after);
        return;
    }
    window.lost += after - before;
    if (after - window.begin >= WINDOW_NS)
        window_close(after);
}

void yields_finalize(void)
{
    free(window.used);
    window.used = NULL;
    window.count = 0;
}
