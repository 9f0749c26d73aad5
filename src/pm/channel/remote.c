/* remote.c — the commands of a remote node, and how it is lost. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "log.h"
#include "os.h"
#include "pm_code.h"
#include "pm_remote_impl.h"

enum { ANSWER_MS = 2000, END_ANSWER_MS = 3000 };

void pm_remote_send(struct pm_remote *r, const struct pm_frame *f)
{
    if (r->phase == PM_REMOTE_RUNS)
        pm_channel_send(r->channel, f);
    else if (r->phase == PM_REMOTE_STARTS && pm_frame_put(&r->early, f))
        pm_remote_lose(r, "%s", strerror(ENOMEM));
}

static void send_number(struct pm_remote *r, enum pm_frame_kind kind, int number)
{
    pm_remote_send(r, &(struct pm_frame) { .kind = kind, .number = number });
}

/* Sends a payload that has been encoded; err: why not. */
static void send_payload(struct pm_remote *r, enum pm_frame_kind kind, struct pm_bytes *q, int err)
{
    if (err)
        pm_remote_lose(r, "%s", strerror(-err));
    else
        pm_remote_send(
            r, &(struct pm_frame) { .kind = kind, .bytes = pm_bytes_first(q), .len = q->len });
    pm_bytes_free(q);
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

/* ---- commands -------------------------------------------------------------------------------- */

void pm_remote_prepare(struct pm_remote *r, const struct pm_plan *plan)
{
    struct pm_bytes q = { .bytes = NULL };
    int err = pm_encode_plan(&q, plan);

    r->executables += plan->executables;

    send_payload(r, PM_FRAME_PREPARE, &q, err);
}

/* The windows of all shrink, and credit that was too small to be sent is not any more. */
static bool use_sink(struct pm_remote *r, int sink)
{
    struct pm_remote_sink *k = pm_remote_sink_of(r, sink);

    if (!k || k->used)
        return k;
    k->used = true;
    r->used++;
    for (int i = 0; i < r->sinks; i++)
        pm_remote_give_credit(r, i);
    return true;
}

static int note_process(struct pm_remote *r, const struct pm_start *s)
{
    if (r->processes == r->room) {
        int room = r->room * 2 + 16;
        struct pm_remote_process *more = realloc(r->process, (size_t) room * sizeof *more);
        if (!more)
            return -ENOMEM;
        r->process = more;
        r->room = room;
    }
    r->process[r->processes].ended = false;
    for (int i = 0; i < PM_STREAMS; i++) {
        r->process[r->processes].sink[i] = s->sink[i];
        if (s->sink[i] != PM_NO_SINK && !use_sink(r, s->sink[i]))
            return -ENOMEM;
    }
    r->processes++;
    return 0;
}

void pm_remote_start(struct pm_remote *r, const struct pm_start *start)
{
    struct pm_bytes q = { .bytes = NULL };
    int err = note_process(r, start);

    if (!err)
        err = pm_encode_start(&q, start);
    send_payload(r, PM_FRAME_START, &q, err);
}

void pm_remote_pause(struct pm_remote *r, int sink, bool paused)
{
    struct pm_remote_sink *k = pm_remote_sink_of(r, sink);

    if (!k)
        return;
    k->paused = paused;
    pm_remote_give_credit(r, sink);
}

void pm_remote_resize(struct pm_remote *r, int rows, int columns)
{
    pm_remote_send(
        r, &(struct pm_frame) { .kind = PM_FRAME_RESIZE, .number = rows, .value = columns });
}

void pm_remote_job(struct pm_remote *r, const struct pm_server_config *config, int universe)
{
    struct pm_bytes q = { .bytes = NULL };
    int err = pm_encode_job(&q, config, universe);

    send_payload(r, PM_FRAME_JOB, &q, err);
}

void pm_remote_note(struct pm_remote *r, const struct pm_note *note)
{
    struct pm_bytes q = { .bytes = NULL };
    int err = pm_encode_note(&q, note);

    send_payload(r, PM_FRAME_NOTE, &q, err);
}

void pm_remote_input(struct pm_remote *r, int process, const char *bytes, size_t len)
{
    pm_remote_send(r, &(struct pm_frame) {
                          .kind = PM_FRAME_INPUT, .number = process, .bytes = bytes, .len = len });
}

void pm_remote_signal(struct pm_remote *r, int signal) { send_number(r, PM_FRAME_SIGNAL, signal); }

void pm_remote_find_exiting(struct pm_remote *r) { send_number(r, PM_FRAME_FIND_EXITING, 0); }

void pm_remote_finish(struct pm_remote *r)
{
    r->may_end = true;
    send_number(r, PM_FRAME_FINISH, 0);
}

void pm_remote_drop_output(struct pm_remote *r) { send_number(r, PM_FRAME_DROP_OUTPUT, 0); }

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
        pm_remote_end_command(r);
        pm_remote_leave(r);
        return;
    }
    r->may_end = true;
    pm_remote_send(r, f);
    send_number(r, PM_FRAME_BEAT, 1);
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

/* ---- opening --------------------------------------------------------------------------------- */

static int copy(struct pm_remote *r, const struct pm_remote_config *config)
{
    r->host = strdup(config->host);
    r->launcher = config->launcher ? strdup(config->launcher) : NULL;
    r->words = pm_command_words(config->command);
    return r->host && r->words && !r->launcher == !config->launcher ? 0 : -ENOMEM;
}

struct pm_remote *pm_remote_open(const struct pm_remote_config *config,
                                 const struct pm_remote_events *events)
{
    struct pm_remote *r = calloc(1, sizeof *r);
    int err = r ? copy(r, config) : -ENOMEM;

    if (!err) {
        r->events = *events;
        r->timeout_ms = config->timeout_ms;
        r->signals = *config->signals;
        r->command.pid = r->command.error_fd = -1;
        r->step = config->step;
        err = r->step ? pm_step_add(r->step, r) : config->via ? pm_carried_add(config->via, r) : 0;
    }
    if (!err)
        err = pm_remote_launch(r);
    if (!err)
        return r;
    errno = -err; /* what has been copied is of no use, and small; mpiexec ends */
    return NULL;
}
