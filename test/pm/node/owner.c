/* owner.c — an owner of a node that notes its events. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>
#include "pm/node/log.h"
#include "pm/node/loop.h"
#include "platform/os.h"
#include "owner.h"

enum { TEXT_MAX = 1 << 21 };

struct pm_node *node;
struct seen seen[PROCESSES];
bool ready, refused, ended;
struct pm_refusal refusal;
char log_text[4096];
int exiting_found;
int pause_after;
int job_now;
int forgotten = -1;

static void on_ready(void *owner, int job, const char *host, const char *topology)
{
    CHECK(owner == seen && job == job_now);
    CHECK(*host && !topology);
    ready = true;
}

static void on_refused(void *owner, int job, const struct pm_refusal *why)
{
    CHECK(owner == seen && job == job_now);
    refused = true;
    refusal = *why;
}

static void on_started(void *owner, int process, pid_t pid, const char *file)
{
    (void) owner;
    CHECK(pid > 0);
    CHECK(!strcmp(file, "/bin/sh"));
    seen[process].started = true;
    seen[process].pid = pid;
}

static void on_not_started(void *owner, int process, int err, const char *what)
{
    (void) owner;
    seen[process].not_started = true;
    seen[process].err = err;
    (void) snprintf(seen[process].what, sizeof seen[process].what, "%s", what);
}

static void on_output(void *owner, int process, int stream, const char *bytes, size_t len,
                      bool more)
{
    struct seen *s = &seen[process];

    (void) owner;
    CHECK(len > 0 && s->len[stream] + len < TEXT_MAX && !s->output_ended[stream]);
    if (!s->text[stream])
        CHECK(s->text[stream] = malloc(TEXT_MAX));
    memcpy(s->text[stream] + s->len[stream], bytes, len);
    s->len[stream] += len;
    s->text[stream][s->len[stream]] = '\0';
    s->pieces++;
    s->long_pieces += more;
    if (pause_after && s->len[stream] >= (size_t) pause_after)
        pm_node_pause(node, 0, true);
}

static void on_output_ended(void *owner, int process, int stream)
{
    (void) owner;
    CHECK(!(seen[process].output_ended[stream]));
    seen[process].output_ended[stream] = true;
}

static void on_pmi(void *owner, int process, const char *bytes, size_t len)
{
    size_t used = strlen(seen[process].pmi);

    (void) owner;
    (void) snprintf(seen[process].pmi + used, sizeof seen[process].pmi - used, "%.*s", (int) len,
                    bytes);
}

static void on_pmi_ended(void *owner, int process)
{
    (void) owner;
    seen[process].pmi_ended = true;
}

static void on_pmi_stuck(void *owner, int process)
{
    (void) owner;
    seen[process].pmi_stuck = true;
}

static void on_input_taken(void *owner, int process)
{
    (void) owner;
    seen[process].taken++;
}

static void on_input_ended(void *owner, int process)
{
    (void) owner;
    CHECK(!(seen[process].input_ended));
    seen[process].input_ended = true;
}

static void on_forgotten(void *owner, int job)
{
    (void) owner;
    CHECK(forgotten < 0);
    forgotten = job;
}

static void on_exited(void *owner, int process, int status, const char *last)
{
    (void) owner;
    CHECK(seen[process].started && !seen[process].exited);
    seen[process].exited = true;
    seen[process].status = status;
    (void) snprintf(seen[process].last, sizeof seen[process].last, "%s", last);
}

static void on_exiting(void *owner, int process)
{
    CHECK(owner == seen && !seen[process].exited);
    seen[process].exiting = true;
}

static void on_exiting_found(void *owner)
{
    CHECK(owner == seen);
    exiting_found++;
}

static void on_ended(void *owner)
{
    (void) owner;
    CHECK(!ended);
    ended = true;
}

static void take_log(const char *line, size_t len)
{
    size_t used = strlen(log_text);

    (void) snprintf(log_text + used, sizeof log_text - used, "%.*s", (int) len, line);
}

void open_node(void)
{
    const struct pm_node_events events = {
        seen,           on_ready,        on_refused, on_started,       on_not_started,
        on_output,      on_output_ended, on_pmi,     on_pmi_ended,     on_pmi_stuck,
        on_input_taken, on_input_ended,  on_exiting, on_exiting_found, on_exited,
        on_forgotten,   on_ended
    };
    static struct pm_signals signals;
    sigset_t handled;

    (void) alarm(2 * WAIT_S);
    (void) prctl(PR_SET_CHILD_SUBREAPER, 1);
    CHECK(!pm_signals_block(&signals, &handled));
    pm_log_to(take_log);
    CHECK(!pm_loop_open());
    CHECK(node = pm_node_create(&events, &signals));
}

const struct pm_executable *script(const char *text)
{
    static char *argv[8][4], *environ_of[] = { "PATH=/usr/bin:/bin", "A=b", NULL };
    static struct pm_executable x[8];
    static int n;
    char *own[] = { "/bin/sh", "-c", (char *) text, NULL };

    CHECK(n < 8);
    memcpy(argv[n], own, sizeof own);
    x[n] = (struct pm_executable) { .argv = argv[n], .environ = environ_of };
    return &x[n++];
}

void prepare(const struct pm_executable *x)
{
    ready = refused = false;
    pm_node_prepare(node, &(struct pm_plan) { .job = job_now,
                                              .executable = x,
                                              .executables = 1,
                                              .processes = 1,
                                              .leftovers_ms = 1000 });
    CHECK(ready != refused);
}

static void start_as(const char *text, struct pm_start *s)
{
    static int number;

    s->job = job_now;
    s->rank = number + 100;
    s->local_rank = number;
    s->local_size = PROCESSES;
    s->process = number;
    prepare(script(text));
    CHECK(ready);
    pm_node_start(node, s);
    CHECK(seen[number].started);
    number++;
}

void start(const char *text, enum pm_hold hold, enum pm_input_kind input)
{
    start_as(text, &(struct pm_start) { .hold = { hold, hold }, .input = input });
}

void start_on(const char *text, const char *cpus)
{
    start_as(text, &(struct pm_start) { .hold = { PM_HOLD_LINES, PM_HOLD_LINES }, .cpus = cpus });
}

void wait_for(const bool *flag)
{
    uint64_t end = os_time_ns() + WAIT_S * 1000000000ull;

    while (!*flag) {
        CHECK(os_time_ns() < end);
        pm_loop_once(true);
    }
}

void finish(void)
{
    pm_node_finish(node);
    wait_for(&ended);
    CHECK(!strcmp(log_text, ""));
}
