/* node.c — makes a node, and ends it: when no process is left, the rest of the output is read. */
#include <errno.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <unistd.h>
#include "platform/os.h"
#include "pm/node/pm_node_impl.h"

/* ---- ends of processes ----------------------------------------------------------------------- */

static void child_ended(struct pm_source *s)
{
    struct pm_node *n = OS_OWNER(s, struct pm_node, child_ended);
    struct signalfd_siginfo info[16];

    (void) !read(n->child_fd, info, sizeof info);
    pm_reap(n);
    pm_node_limit_leftovers(n);
    pm_node_check(n);
    pm_node_check_leaving(n);
}

static int watch_children(struct pm_node *n)
{
    sigset_t child;

    (void) sigemptyset(&child);
    (void) sigaddset(&child, SIGCHLD);
    n->child_fd = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
    if (n->child_fd < 0)
        return -errno;
    n->child_ended.ready = child_ended;
    pm_loop_prioritize(&n->child_ended);
    return pm_loop_watch(n->child_fd, true, false, &n->child_ended);
}

/* ---- the end --------------------------------------------------------------------------------- */

/* Reads the rest of a pipe whose writers have ended. False when it must wait for the reader. */
static bool read_rest(struct pm_node *n, struct pm_stream *s)
{
    while (!n->dropping && !s->lane->paused && pm_stream_read(s))
        continue;
    if (s->fd >= 0 && s->lane->paused && !n->dropping)
        return false;
    pm_stream_close(s);
    return true;
}

/* Streams with an unfinished long line come first. */
static bool read_all(struct pm_node *n)
{
    for (int first = 1; first >= 0; first--) {
        for (int i = 0; i < n->processes * PM_STREAMS; i++) {
            struct pm_process *p = n->process[i / PM_STREAMS];
            struct pm_stream *s = p ? &p->stream[i % PM_STREAMS] : NULL;
            if (s && s->fd >= 0 && (!first || s->lane->long_line == s) && !read_rest(n, s))
                return false;
        }
    }
    return true;
}

static void node_check_end(struct pm_timer *t)
{
    struct pm_node *n = OS_OWNER(t, struct pm_node, check_timer);

    if (n->ended || !(n->reading_rest || pm_processes_ended(n)))
        return;
    if (!n->reading_rest)
        pm_lanes_stop(n);
    n->reading_rest = true;
    if (!read_all(n))
        return;
    n->ended = true;
    n->events.ended(n->events.owner);
}

struct pm_node *pm_node_create(const struct pm_node_events *events,
                               const struct pm_signals *signals)
{
    struct pm_node *n = calloc(1, sizeof *n);

    if (!n)
        return NULL;
    n->events = *events;
    n->signals = *signals;
    n->null_fd = n->pmi_fd = -1;
    n->check = node_check_end;
    int err = watch_children(n);
    if (!err)
        return n;
    free(n);
    errno = -err;
    return NULL;
}

void pm_node_drop_output(struct pm_node *n)
{
    n->dropping = true;
    pm_node_check(n);
}
