/* remote_end.c — what is sent to a remote node, and how it ends: it is told to, or it is lost. */
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "platform/os.h"
#include "pm/channel/pm_remote_impl.h"

enum { ANSWER_MS = 2000, END_ANSWER_MS = 3000 };

void pm_remote_send(struct pm_remote *r, const struct pm_frame *f)
{
    if (r->phase == PM_REMOTE_RUNS)
        pm_channel_send(r->channel, f);
    else if (r->phase == PM_REMOTE_STARTS && pm_frame_put(&r->early, f))
        pm_remote_lose(r, "%s", strerror(ENOMEM));
}

void pm_remote_send_number(struct pm_remote *r, enum pm_frame_kind kind, int number)
{
    pm_remote_send(r, &(struct pm_frame) { .kind = kind, .number = number });
}

/* ---- the end --------------------------------------------------------------------------------- */

void pm_remote_finish_leaving(struct pm_remote *r)
{
    if (r->ended)
        return;
    r->ended = true;
    r->events.node.ended(r->events.node.owner);
}

static void finish_later(struct pm_timer *t)
{
    pm_remote_finish_leaving(OS_OWNER(t, struct pm_remote, start_timer));
}

/* A command that has no proxy yet, or a node that is lost, has nothing to finish. A proxy whose
 * channel ends, ends. Nodes of a step or a relay have left when that has ended. */
void pm_remote_leave(struct pm_remote *r)
{
    pm_timer_clear(&r->start_timer);
    if (r->channel)
        pm_channel_close(r->channel);
    if (r->phase == PM_REMOTE_LOST && r->launcher)
        r->starter->end(r, SIGTERM);
    r->starter->end(r, 0);
    if (r->on_left)
        r->on_left(r);
    if (r->starter->here && r->command.pid <= 0)
        pm_timer_set(&r->start_timer, 0, finish_later);
}

void pm_remote_lose_as(struct pm_remote *r, const char *text)
{
    if (r->phase == PM_REMOTE_ENDED || r->phase == PM_REMOTE_LOST)
        return;
    r->phase = PM_REMOTE_LOST;
    pm_timer_clear(&r->answer_timer);
    r->events.lost(r->events.node.owner, text);
    pm_remote_leave(r);
}

void pm_remote_lose(struct pm_remote *r, const char *fmt, ...)
{
    char text[1400];
    va_list args;

    int n = snprintf(text, sizeof text, "host %.255s: ", r->host);
    va_start(args, fmt);
    (void) vsnprintf(text + n, sizeof text - (size_t) n, fmt, args);
    va_end(args);
    pm_remote_lose_as(r, text);
}

void pm_remote_finish(struct pm_remote *r)
{
    r->may_end = true;
    pm_remote_send_number(r, PM_FRAME_FINISH, 0);
}

/* The node was told to end, and has not even answered. */
static void no_answer(struct pm_timer *t)
{
    struct pm_remote *r = OS_OWNER(t, struct pm_remote, answer_timer);

    if (r->phase == PM_REMOTE_RUNS && pm_channel_heard(r->channel) == r->heard)
        pm_remote_lose(r, "does not answer; its ranks end when its proxy finds out");
}

/* Nodes that have no proxy yet have no processes. */
static void end_processes(struct pm_remote *r, const struct pm_frame *f, int wait_ms)
{
    if (r->phase == PM_REMOTE_STARTS) {
        r->phase = PM_REMOTE_ENDED;
        r->starter->end(r, SIGTERM);
        pm_remote_leave(r);
        return;
    }
    r->may_end = true;
    pm_remote_send(r, f);
    pm_remote_send_number(r, PM_FRAME_BEAT, 1);
    if (r->phase != PM_REMOTE_RUNS || pm_timer_is_set(&r->answer_timer))
        return;
    r->heard = pm_channel_heard(r->channel);
    pm_timer_set(&r->answer_timer, wait_ms, no_answer);
}

void pm_remote_end(struct pm_remote *r, int signal, int grace_ms)
{
    end_processes(r,
                  &(struct pm_frame) { .kind = PM_FRAME_END, .number = signal, .value = grace_ms },
                  END_ANSWER_MS);
}

void pm_remote_kill(struct pm_remote *r)
{
    pm_timer_clear(&r->answer_timer);
    end_processes(r, &(struct pm_frame) { .kind = PM_FRAME_KILL }, ANSWER_MS);
}
