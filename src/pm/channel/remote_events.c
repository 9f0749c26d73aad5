/* remote_events.c — frames from a proxy become the events of its node. What they say is checked:
 * numbers of processes are used as indices. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "pm/node/log.h"
#include "pm/channel/pm_serialize.h"
#include "pm/channel/pm_remote_impl.h"

/* The ends of unfinished lines come without credit. */
enum { SINKS_AT_ONCE = 16, UNTOLD_MAX = 1 << 30 };

struct pm_remote_sink *pm_remote_sink_of(struct pm_remote *r, int sink)
{
    if (sink >= r->sinks) {
        int sinks = sink + SINKS_AT_ONCE;
        struct pm_remote_sink *more = realloc(r->sink, (size_t) sinks * sizeof *more);
        if (!more)
            return NULL;
        memset(more + r->sinks, 0, (size_t) (sinks - r->sinks) * sizeof *more);
        r->sink = more;
        r->sinks = sinks;
    }
    return &r->sink[sink];
}

struct pm_remote_job *pm_remote_job_of(const struct pm_remote *r, int number)
{
    for (int i = 0; i < r->jobs; i++)
        if (r->job[i].number == number)
            return &r->job[i];
    return NULL;
}

/* Few credits say much: one for a quarter of the window. */
void pm_remote_give_credit(struct pm_remote *r, int sink)
{
    struct pm_remote_sink *k = &r->sink[sink];

    if (k->paused || k->untold < pm_window(r->used) / 4)
        return;
    pm_remote_send(
        r, &(struct pm_frame) { .kind = PM_FRAME_CREDIT, .number = sink, .value = k->untold });
    k->untold = 0;
}

const char *pm_frame_text(const struct pm_frame *f, char *text, size_t len)
{
    (void) snprintf(text, len, "%.*s", (int) f->len, f->bytes);
    return text;
}

/* The job whose plan is answered; NULL: no answer is due. */
static const struct pm_remote_job *take_answer(struct pm_remote *r, int job)
{
    struct pm_remote_job *j = pm_remote_job_of(r, job);

    if (!j || !j->waits)
        return NULL;
    j->waits = false;
    return j;
}

static void on_ready(struct pm_remote *r, const struct pm_frame *f)
{
    const char *host, *topology;

    if (!take_answer(r, f->number) || pm_decode_ready(f->bytes, f->len, &host, &topology))
        pm_remote_lose(r, "its proxy sends an answer that cannot be read");
    else
        r->events.node.ready(r->events.node.owner, f->number, host, topology);
}

static void on_refused(struct pm_remote *r, const struct pm_frame *f)
{
    const struct pm_remote_job *j = take_answer(r, f->number);
    struct pm_refusal why;

    if (!j || pm_decode_refusal(f->bytes, f->len, &why) || why.executable >= j->executables)
        pm_remote_lose(r, "its proxy sends a refusal that cannot be read");
    else
        r->events.node.refused(r->events.node.owner, f->number, &why);
}

static void on_forgotten(struct pm_remote *r, const struct pm_frame *f)
{
    struct pm_remote_job *j = pm_remote_job_of(r, f->number);

    if (!j || !j->leaves) {
        pm_remote_lose(r, "its proxy has forgotten job %d by itself", f->number);
        return;
    }
    for (int i = 0; i < r->room; i++)
        r->process[i].known = r->process[i].known && r->process[i].job != f->number;
    *j = r->job[--r->jobs];
    r->events.node.forgotten(r->events.node.owner, f->number);
}

static void on_note(struct pm_remote *r, const struct pm_frame *f)
{
    struct pm_note note;

    if (!pm_remote_job_of(r, f->number) || pm_decode_note(f->bytes, f->len, &note)
        || r->events.note(r->events.node.owner, f->number, &note))
        pm_remote_lose(r, "its proxy sends a note that cannot be read");
}

static void on_output(struct pm_remote *r, const struct pm_frame *f)
{
    const struct pm_node_events *e = &r->events.node;
    int sink = r->process[f->number].sink[f->stream];

    if (!f->len)
        return;
    if (sink == PM_NO_SINK) {
        pm_remote_lose(r, "its proxy sends output that is not wanted");
        return;
    }
    if (r->sink[sink].untold > UNTOLD_MAX) {
        pm_remote_lose(r, "its proxy sends more output than it may");
        return;
    }
    r->sink[sink].untold += (int) f->len;
    e->output(e->owner, f->number, f->stream, f->bytes, f->len, f->value != 0);
    pm_remote_give_credit(r, sink);
}

/* A log line begins with the name of the program, as all do. */
static void on_log(struct pm_remote *r, const struct pm_frame *f)
{
    size_t skip = pm_command_skip(f->bytes, f->len);
    size_t len = f->len - skip;

    while (len && f->bytes[skip + len - 1] == '\n')
        len--;
    pm_log("host %s: %.*s", r->host, (int) len, f->bytes + skip);
}

static void of_node(struct pm_remote *r, const struct pm_frame *f)
{
    char text[4096];

    if (!r->events.node.ready
        && (f->kind == PM_FRAME_READY || f->kind == PM_FRAME_REFUSED || f->kind == PM_FRAME_NOTE
            || f->kind == PM_FRAME_FORGOTTEN || f->kind == PM_FRAME_EXITING_FOUND)) {
        pm_remote_lose(r, "its relay sends what a proxy does");
        return;
    }
    switch ((int) f->kind) {
    case PM_FRAME_BEAT:
        break;
    case PM_FRAME_READY:
        on_ready(r, f);
        break;
    case PM_FRAME_REFUSED:
        on_refused(r, f);
        break;
    case PM_FRAME_NOTE:
        on_note(r, f);
        break;
    case PM_FRAME_FORGOTTEN:
        on_forgotten(r, f);
        break;
    case PM_FRAME_EXITING_FOUND:
        r->events.node.exiting_found(r->events.node.owner);
        break;
    case PM_FRAME_SIGNALED:
        if (r->events.signaled)
            r->events.signaled(r->events.node.owner, f->number);
        break;
    case PM_FRAME_LOG:
        on_log(r, f);
        break;
    case PM_FRAME_FAILED:
        pm_remote_lose(r, "%s", pm_frame_text(f, text, sizeof text));
        break;
    case PM_FRAME_RELAY:
    case PM_FRAME_CHILD_LINE:
    case PM_FRAME_CHILD_EXITED:
        if (r->on_child_frame)
            r->on_child_frame(r, f);
        else
            pm_remote_lose(r, "its proxy sends what a relay does");
        break;
    case PM_FRAME_ENDED:
        if (!r->may_end) {
            pm_remote_lose(r, "its proxy says that it has ended, before it was told to");
            return;
        }
        r->phase = PM_REMOTE_ENDED;
        pm_timer_clear(&r->answer_timer);
        pm_remote_leave(r);
    }
}

static void of_process(struct pm_remote *r, const struct pm_frame *f)
{
    const struct pm_node_events *e = &r->events.node;
    int process = f->number;
    char text[8200];

    switch ((int) f->kind) {
    case PM_FRAME_STARTED:
        e->started(e->owner, process, f->value, pm_frame_text(f, text, sizeof text));
        break;
    case PM_FRAME_NOT_STARTED:
        e->not_started(e->owner, process, f->value, pm_frame_text(f, text, sizeof text));
        break;
    case PM_FRAME_OUTPUT:
        on_output(r, f);
        break;
    case PM_FRAME_OUTPUT_ENDED:
        e->output_ended(e->owner, process, f->stream);
        break;
    case PM_FRAME_PMI_ENDED:
        e->pmi_ended(e->owner, process);
        break;
    case PM_FRAME_PMI_STUCK:
        e->pmi_stuck(e->owner, process);
        break;
    case PM_FRAME_INPUT_TAKEN:
        e->input_taken(e->owner, process);
        break;
    case PM_FRAME_INPUT_ENDED:
        e->input_ended(e->owner, process);
        break;
    case PM_FRAME_EXITING:
        e->exiting(e->owner, process);
        break;
    case PM_FRAME_EXITED:
        e->exited(e->owner, process, f->value, pm_frame_text(f, text, sizeof text));
    }
}

static bool is_of_process(enum pm_frame_kind kind)
{
    switch ((int) kind) {
    case PM_FRAME_STARTED:
    case PM_FRAME_NOT_STARTED:
    case PM_FRAME_OUTPUT:
    case PM_FRAME_OUTPUT_ENDED:
    case PM_FRAME_PMI_ENDED:
    case PM_FRAME_PMI_STUCK:
    case PM_FRAME_INPUT_TAKEN:
    case PM_FRAME_INPUT_ENDED:
    case PM_FRAME_EXITING:
    case PM_FRAME_EXITED:
        return true;
    }
    return false;
}

static bool ends_twice(struct pm_remote *r, const struct pm_frame *f)
{
    struct pm_remote_process *p = &r->process[f->number];

    if (f->kind != PM_FRAME_EXITED && f->kind != PM_FRAME_NOT_STARTED)
        return false;
    if (p->ended)
        pm_remote_lose(r, "its proxy says twice that process %d has ended", f->number);
    else
        p->ended = true;
    return r->phase == PM_REMOTE_LOST;
}

void pm_remote_frame(void *owner, const struct pm_frame *f)
{
    struct pm_remote *r = owner;

    if (r->phase != PM_REMOTE_RUNS)
        return;
    if (!is_of_process(f->kind))
        of_node(r, f);
    else if (f->number < 0 || f->number >= r->room || !r->process[f->number].known)
        pm_remote_lose(r, "its proxy speaks of process %d, and there is none", f->number);
    else if (!ends_twice(r, f))
        of_process(r, f);
}
