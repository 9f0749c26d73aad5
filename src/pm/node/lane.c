/* lane.c — the streams of one sink: reads them while the sink takes output. */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>
#include "platform/os.h"
#include "pm/node/pm_node_impl.h"

enum { LONG_LINE_MS = 1000 };

static void lane_readable(struct pm_source *source)
{
    struct pm_lane *l = OS_OWNER(source, struct pm_lane, readable);
    void *ready[64];

    if (l->paused) {
        pm_loop_drop(l->epoll);
        l->watched = false;
        return;
    }
    int n = os_epoll_wait(l->epoll, ready, 64, 0);
    for (int i = 0; i < n && !l->paused; i++) {
        struct pm_source *s = ready[i];
        s->ready(s);
    }
}

static void lane_watch(struct pm_lane *l)
{
    l->watched = !pm_loop_watch(l->epoll, true, false, &l->readable);
}

static struct pm_lane *lane_create(void)
{
    struct pm_lane *l = calloc(1, sizeof *l);

    if (!l)
        return NULL;
    l->readable.ready = lane_readable;
    l->epoll = os_epoll();
    if (l->epoll >= 0)
        lane_watch(l);
    if (l->watched)
        return l;
    int err = errno;
    if (l->epoll >= 0)
        (void) close(l->epoll);
    free(l);
    errno = err;
    return NULL;
}

static bool make_room(struct pm_node *n, int sink)
{
    int lanes = n->lanes;

    if (sink < lanes)
        return true;
    while (lanes <= sink)
        lanes = lanes * 2 + 2;
    struct pm_lane **more = realloc(n->lane, (size_t) lanes * sizeof *more);
    if (!more)
        return false;
    while (n->lanes < lanes)
        more[n->lanes++] = NULL;
    n->lane = more;
    return true;
}

struct pm_lane *pm_lane_of(struct pm_node *n, int sink)
{
    if (!make_room(n, sink))
        return NULL;
    if (!n->lane[sink])
        n->lane[sink] = lane_create();
    return n->lane[sink];
}

int pm_lane_add(struct pm_lane *l, struct pm_stream *s)
{
    return os_epoll_set(l->epoll, s->fd, true, false, &s->source);
}

void pm_lanes_stop(struct pm_node *n)
{
    for (int i = 0; i < n->lanes; i++) {
        if (!n->lane[i] || !n->lane[i]->watched)
            continue;
        pm_loop_drop(n->lane[i]->epoll);
        n->lane[i]->watched = false;
    }
}

/* A lane that pauses is watched until a stream of it is ready: most pauses are shorter. */
void pm_node_pause(struct pm_node *n, int sink, bool paused)
{
    struct pm_lane *l = pm_lane_of(n, sink);

    if (!l)
        return;
    l->paused = paused;
    if (paused)
        return;
    if (n->reading_rest)
        pm_node_check(n);
    else if (!l->watched)
        lane_watch(l);
}

/* ---- long lines ------------------------------------------------------------------------------ */

bool pm_lane_has_other_long_line(const struct pm_lane *l, const struct pm_stream *s)
{
    return l->long_line && l->long_line != s;
}

static void finish_long_line(struct pm_lane *l)
{
    l->long_line = NULL;
    pm_timer_clear(&l->pause_timer);
    for (struct pm_stream *s; (s = l->paused_streams);) {
        l->paused_streams = s->next_paused;
        (void) pm_lane_add(l, s);
    }
}

/* Ends the wait, unless the sink is full: then all wait for the reader, and the line may still
 * end. */
static void pause_expired(struct pm_timer *t)
{
    struct pm_lane *l = OS_OWNER(t, struct pm_lane, pause_timer);

    if (l->paused)
        pm_timer_set(t, LONG_LINE_MS, pause_expired);
    else
        finish_long_line(l);
}

void pm_lane_pause(struct pm_lane *l, struct pm_stream *s)
{
    os_epoll_drop(l->epoll, s->fd);
    s->next_paused = l->paused_streams;
    l->paused_streams = s;
    if (!pm_timer_is_set(&l->pause_timer))
        pm_timer_set(&l->pause_timer, LONG_LINE_MS, pause_expired);
}

void pm_lane_end_long_line(struct pm_lane *l, const struct pm_stream *s)
{
    if (l->long_line == s)
        finish_long_line(l);
}

void pm_lane_remove(struct pm_lane *l, struct pm_stream *s)
{
    struct pm_stream **at = &l->paused_streams;

    pm_lane_end_long_line(l, s);
    while (*at && *at != s)
        at = &(*at)->next_paused;
    if (*at)
        *at = s->next_paused;
    else
        os_epoll_drop(l->epoll, s->fd);
}
