/* remote.c — opens a remote node, and sends its commands; remote_end.c has the commands that end a
 * node. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "pm/channel/pm_serialize.h"
#include "pm/channel/pm_remote_impl.h"

/* Sends a payload about a job that has been encoded; err: why not. */
static void send_payload(struct pm_remote *r, const struct pm_frame *of, struct pm_bytes *q,
                         int err)
{
    struct pm_frame f = *of;

    f.bytes = pm_bytes_first(q);
    f.len = q->len;
    if (err)
        pm_remote_lose(r, "%s", strerror(-err));
    else
        pm_remote_send(r, &f);
    pm_bytes_free(q);
}

/* ---- commands -------------------------------------------------------------------------------- */

/* The job of this number, which the node gets to know. NULL: no memory. */
static struct pm_remote_job *add_job(struct pm_remote *r, int number)
{
    struct pm_remote_job *j = pm_remote_job_of(r, number);

    if (j)
        return j;
    j = realloc(r->job, (size_t) (r->jobs + 1) * sizeof *j);
    if (!j)
        return NULL;
    r->job = j;
    j[r->jobs] = (struct pm_remote_job) { .number = number };
    return &j[r->jobs++];
}

void pm_remote_prepare(struct pm_remote *r, const struct pm_plan *plan)
{
    struct pm_remote_job *j = add_job(r, plan->job);
    struct pm_bytes q = { .bytes = NULL };
    int err = j ? pm_encode_plan(&q, plan) : -ENOMEM;

    if (j) {
        j->executables = plan->executables;
        j->waits = true;
    }
    send_payload(r, &(struct pm_frame) { .kind = PM_FRAME_PREPARE, .number = plan->job }, &q, err);
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
    int room = s->process < r->room ? r->room : s->process * 2 + 16;
    struct pm_remote_process *more = r->process;

    if (room > r->room)
        more = realloc(r->process, (size_t) room * sizeof *more);
    if (!more)
        return -ENOMEM;
    memset(more + r->room, 0, (size_t) (room - r->room) * sizeof *more);
    r->process = more;
    r->room = room;
    struct pm_remote_process *p = &r->process[s->process];
    *p = (struct pm_remote_process) { .job = s->job, .known = true };
    for (int i = 0; i < PM_STREAMS; i++) {
        p->sink[i] = s->sink[i];
        if (s->sink[i] != PM_NO_SINK && !use_sink(r, s->sink[i]))
            return -ENOMEM;
    }
    return 0;
}

void pm_remote_start(struct pm_remote *r, const struct pm_start *start)
{
    struct pm_bytes q = { .bytes = NULL };
    int err = note_process(r, start);

    if (!err)
        err = pm_encode_start(&q, start);
    send_payload(r, &(struct pm_frame) { .kind = PM_FRAME_START }, &q, err);
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

void pm_remote_job(struct pm_remote *r, int job, const struct pm_server_config *config,
                   int universe)
{
    struct pm_bytes q = { .bytes = NULL };
    int err = add_job(r, job) ? pm_encode_job(&q, config, universe) : -ENOMEM;

    send_payload(r, &(struct pm_frame) { .kind = PM_FRAME_JOB, .number = job }, &q, err);
}

void pm_remote_note(struct pm_remote *r, int job, const struct pm_note *note)
{
    struct pm_bytes q = { .bytes = NULL };
    int err = pm_encode_note(&q, note);

    send_payload(r, &(struct pm_frame) { .kind = PM_FRAME_NOTE, .number = job }, &q, err);
}

void pm_remote_input(struct pm_remote *r, int process, const char *bytes, size_t len)
{
    pm_remote_send(r, &(struct pm_frame) {
                          .kind = PM_FRAME_INPUT, .number = process, .bytes = bytes, .len = len });
}

void pm_remote_signal(struct pm_remote *r, int job, int signal)
{
    pm_remote_send(r,
                   &(struct pm_frame) { .kind = PM_FRAME_SIGNAL, .number = signal, .value = job });
}

void pm_remote_forget(struct pm_remote *r, int job)
{
    struct pm_remote_job *j = pm_remote_job_of(r, job);

    if (j)
        j->leaves = true;
    pm_remote_send_number(r, PM_FRAME_FORGET, job);
}

void pm_remote_find_exiting(struct pm_remote *r)
{
    pm_remote_send_number(r, PM_FRAME_FIND_EXITING, 0);
}

void pm_remote_drop_output(struct pm_remote *r)
{
    pm_remote_send_number(r, PM_FRAME_DROP_OUTPUT, 0);
}

/* ---- opening --------------------------------------------------------------------------------- */

static int remote_copy_config(struct pm_remote *r, const struct pm_remote_config *config)
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
    int err = r ? remote_copy_config(r, config) : -ENOMEM;

    if (!err) {
        r->events = *events;
        r->timeout_ms = config->timeout_ms;
        r->signals = *config->signals;
        r->command.pid = r->command.error_fd = -1;
        r->step = config->step;
        r->starter = &pm_command_starter;
        err = r->step ? pm_step_add(r->step, r) : config->via ? pm_carried_add(config->via, r) : 0;
    }
    if (!err)
        err = pm_remote_launch(r);
    if (!err)
        return r;
    errno = -err; /* what has been copied is of no use, and small; mpiexec ends */
    return NULL;
}
