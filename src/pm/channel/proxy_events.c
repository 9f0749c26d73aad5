/* proxy_events.c — the events of a node as frames. Output is limited by credit: the streams of a
 * sink are not read while as many bytes of it are under way as pm_window() says. */
#include <string.h>
#include "pm/channel/pm_serialize.h"
#include "pm/channel/pm_proxy_impl.h"

static void send_text(enum pm_frame_kind kind, int number, int value, const char *text)
{
    pm_proxy_send(&(struct pm_frame) {
        .kind = kind, .number = number, .value = value, .bytes = text, .len = strlen(text) });
}

static void send_numbers(enum pm_frame_kind kind, int number, int value)
{
    pm_proxy_send(&(struct pm_frame) { .kind = kind, .number = number, .value = value });
}

/* Sends and frees a payload about a job, which could be made unless err. */
static void send_payload(enum pm_frame_kind kind, int job, struct pm_bytes *q, int err)
{
    if (err)
        pm_proxy_fail("its proxy is out of memory");
    else
        pm_proxy_send(
            &(struct pm_frame) { .kind = kind, .number = job, .bytes = q->bytes, .len = q->len });
    pm_bytes_free(q);
}

static void on_ready(void *owner, int job, const char *host, const char *topology)
{
    struct pm_proxy *p = owner;
    struct pm_bytes q = { .bytes = NULL };
    int err = pm_encode_ready(&q, host, topology);

    pm_proxy_job(p, job)->accepted = true;
    send_payload(PM_FRAME_READY, job, &q, err);
}

static void on_refused(void *owner, int job, const struct pm_refusal *why)
{
    struct pm_bytes q = { .bytes = NULL };
    int err = pm_encode_refusal(&q, why);

    (void) owner;
    send_payload(PM_FRAME_REFUSED, job, &q, err);
}

static void on_started(void *owner, int process, pid_t pid, const char *file)
{
    (void) owner;
    send_text(PM_FRAME_STARTED, process, (int) pid, file);
}

static void on_not_started(void *owner, int process, int err, const char *what)
{
    (void) owner;
    send_text(PM_FRAME_NOT_STARTED, process, err, what);
}

static void on_output(void *owner, int process, int stream, const char *bytes, size_t len,
                      bool more)
{
    struct pm_proxy *p = owner;
    int sink = p->process[process].sink[stream];
    struct pm_proxy_sink *k = &p->sink[sink];

    pm_proxy_send(&(struct pm_frame) { .kind = PM_FRAME_OUTPUT,
                                       .stream = stream,
                                       .number = process,
                                       .value = more,
                                       .bytes = bytes,
                                       .len = len });
    k->under_way += (int) len;
    if (k->under_way < p->window || k->paused)
        return;
    k->paused = true;
    pm_node_pause(p->node, sink, true);
}

void pm_proxy_credit(struct pm_proxy *p, int sink, int bytes)
{
    struct pm_proxy_sink *k = &p->sink[sink];

    k->under_way -= bytes < k->under_way ? bytes : k->under_way;
    if (k->under_way >= p->window || !k->paused)
        return;
    k->paused = false;
    pm_node_pause(p->node, sink, false);
}

static void on_output_ended(void *owner, int process, int stream)
{
    (void) owner;
    pm_proxy_send(
        &(struct pm_frame) { .kind = PM_FRAME_OUTPUT_ENDED, .stream = stream, .number = process });
}

static const struct pm_proxy_process *process_of(void *owner, int process)
{
    return &((struct pm_proxy *) owner)->process[process];
}

static void on_pmi(void *owner, int process, const char *bytes, size_t len)
{
    const struct pm_proxy_process *p = process_of(owner, process);

    pm_server_input(p->job->hub, p->rank, bytes, len);
}

static void on_pmi_ended(void *owner, int process)
{
    const struct pm_proxy_process *p = process_of(owner, process);

    pm_server_closing(p->job->hub, p->rank);
    if (pm_server_client_state(p->job->hub, p->rank) == PM_CLIENT_JOINED)
        send_numbers(PM_FRAME_PMI_ENDED, process, 0);
}

static void on_pmi_stuck(void *owner, int process)
{
    (void) owner;
    send_numbers(PM_FRAME_PMI_STUCK, process, 0);
}

static void on_input_taken(void *owner, int process)
{
    (void) owner;
    send_numbers(PM_FRAME_INPUT_TAKEN, process, 0);
}

static void on_input_ended(void *owner, int process)
{
    (void) owner;
    send_numbers(PM_FRAME_INPUT_ENDED, process, 0);
}

static void on_exiting(void *owner, int process)
{
    (void) owner;
    send_numbers(PM_FRAME_EXITING, process, 0);
}

static void on_exiting_found(void *owner)
{
    (void) owner;
    send_numbers(PM_FRAME_EXITING_FOUND, 0, 0);
}

static void on_exited(void *owner, int process, int wait_status, const char *last)
{
    const struct pm_proxy_process *p = process_of(owner, process);

    pm_server_closing(p->job->hub, p->rank);
    send_text(PM_FRAME_EXITED, process, wait_status, last);
    pm_server_gone(p->job->hub, p->rank);
}

static void on_forgotten(void *owner, int job)
{
    pm_proxy_free_job(owner, job);
    send_numbers(PM_FRAME_FORGOTTEN, job, 0);
}

static void on_ended(void *owner)
{
    ((struct pm_proxy *) owner)->ended = true;
    send_numbers(PM_FRAME_ENDED, 0, 0);
}

const struct pm_node_events pm_proxy_events = {
    .ready = on_ready,
    .refused = on_refused,
    .started = on_started,
    .not_started = on_not_started,
    .output = on_output,
    .output_ended = on_output_ended,
    .pmi = on_pmi,
    .pmi_ended = on_pmi_ended,
    .pmi_stuck = on_pmi_stuck,
    .input_taken = on_input_taken,
    .input_ended = on_input_ended,
    .exiting = on_exiting,
    .exiting_found = on_exiting_found,
    .exited = on_exited,
    .forgotten = on_forgotten,
    .ended = on_ended,
};
