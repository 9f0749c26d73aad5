/* step.c — proxies that one command starts on several hosts, such as a step of Slurm by srun.
 *
 * The output of all of them comes together, so it cannot be their channels. Each gets the secret of
 * the job and the addresses of mpiexec from standard input, connects, and says of which host it is.
 * mpiexec listens for them only until all are there. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#include "pm/node/log.h"
#include "platform/os.h"
#include "pm/channel/pm_answer.h"
#include "pm/channel/pm_remote_impl.h"

/* How long the end of the command is waited for; after a failure, which may be that of a host that
 * the command itself waits for, not so long. */
enum { EXIT_MS = 5000, FAILED_MS = 1000, WORDS = 3 };

struct pm_step {
    struct pm_command command;
    char **words;
    struct pm_ports ports;
    struct pm_signals signals;
    struct pm_timer begin_timer;
    struct pm_answers *answers; /* to calls of proxies; NULL: none are expected */
    struct pm_remote **remote;
    int remotes, missing, left;
    bool failed;
    char last[PM_LINE_OF_COMMAND]; /* of its lines */
};

static const char *step_command_name(const struct pm_step *s) { return s->words[0]; }

/* ---- lines, and its end ---------------------------------------------------------------------- */

static void step_show_line(const char *line)
{
    if (*line)
        pm_log("%s", line + pm_command_skip(line, strlen(line)));
}

/* The last line may be the cause of its end. */
static void on_line(void *owner, const char *line)
{
    struct pm_step *s = owner;

    if (!s->missing)
        step_show_line(line);
    else if (*line) {
        step_show_line(s->last);
        (void) snprintf(s->last, sizeof s->last, "%s", line);
    }
}

static void stop_answering(struct pm_step *s)
{
    if (s->answers)
        pm_answers_close(s->answers);
    s->answers = NULL;
}

/* Nothing more comes from any proxy. */
static void step_finish(struct pm_step *s)
{
    for (int i = 0; i < s->remotes; i++)
        pm_remote_finish_leaving(s->remote[i]);
}

static void lose_all(struct pm_step *s, const char *why)
{
    s->failed = true;
    stop_answering(s);
    for (int i = 0; i < s->remotes; i++)
        pm_remote_lose_as(s->remote[i], why);
}

static void on_exited(void *owner, int status)
{
    struct pm_step *s = owner;
    char text[PM_LINE_OF_COMMAND + 128];

    pm_command_describe(step_command_name(s), status, text, sizeof text);
    if (s->missing && *s->last) {
        size_t n = strlen(text);
        (void) snprintf(text + n, sizeof text - n, ": %s", s->last);
    }
    lose_all(s, text);
    step_finish(s);
}

static void on_overdue(void *owner) { lose_all(owner, "the end of its proxies is overdue"); }

static void on_abandoned(void *owner) { step_finish(owner); }

/* The command closes its standard error when it ends. */
static void on_closed(void *owner)
{
    struct pm_step *s = owner;

    pm_command_wait(&s->command, EXIT_MS);
}

static void finish_later(struct pm_timer *t)
{
    step_finish(OS_OWNER(t, struct pm_step, begin_timer));
}

static void step_left(struct pm_remote *r)
{
    struct pm_step *s = r->step;

    s->failed |= r->phase == PM_REMOTE_LOST;
    s->left += !r->left;
    r->left = true;
    if (s->left < s->remotes)
        return;
    stop_answering(s);
    if (s->failed || s->missing)
        pm_command_kill(&s->command, SIGTERM);
    if (s->command.pid > 0)
        pm_command_wait(&s->command, s->failed ? FAILED_MS : EXIT_MS);
    else
        pm_timer_set(&s->begin_timer, 0, finish_later);
}

/* ---- its proxies ----------------------------------------------------------------------------- */

static int take_call(void *owner, const char *host, int fd, struct pm_seal *seal)
{
    struct pm_step *s = owner;

    for (int i = 0; i < s->remotes; i++) {
        struct pm_remote *r = s->remote[i];
        if (strcasecmp(r->host, host) != 0 || r->channel || r->phase != PM_REMOTE_STARTS)
            continue;
        int err = pm_remote_connect(r, fd, seal);
        if (!err && !--s->missing)
            stop_answering(s);
        return err;
    }
    return -ENOENT;
}

/* ---- its start ------------------------------------------------------------------------------- */

/* The names of all hosts, separated by commas. */
static char *list_hosts(const struct pm_step *s)
{
    struct pm_bytes q = { .bytes = NULL };
    int err = pm_bytes_add(&q, "--nodelist=", strlen("--nodelist="));

    for (int i = 0; !err && i < s->remotes; i++) {
        const char *host = s->remote[i]->host;
        err = (i && pm_bytes_add(&q, ",", 1)) || pm_bytes_add(&q, host, strlen(host));
    }
    if (!err && !pm_bytes_add(&q, "", 1))
        return q.bytes;
    pm_bytes_free(&q);
    return NULL;
}

static int step_run(struct pm_step *s, int in)
{
    char nodes[32], tasks[32], *list = list_hosts(s);
    size_t n = 0;

    while (s->words[n])
        n++;
    char **words = calloc(n + WORDS + 1, sizeof *words);
    int err = words && list ? 0 : -ENOMEM;
    if (!err) {
        (void) snprintf(nodes, sizeof nodes, "--nodes=%d", s->remotes);
        (void) snprintf(tasks, sizeof tasks, "--ntasks=%d", s->remotes);
        words[0] = s->words[0];
        words[1] = nodes;
        words[2] = tasks;
        words[3] = list;
        memcpy(words + 1 + WORDS, s->words + 1, (n - 1) * sizeof *words);
        err = pm_command_run(&s->command, words, in, -1, &s->signals);
    }
    free(words);
    free(list);
    return err;
}

static int run_with(struct pm_step *s, const char *line)
{
    int in[2], err;

    if (pipe2(in, O_CLOEXEC))
        return -errno;
    err = step_run(s, in[0]);
    if (!err && write(in[1], line, strlen(line)) < 0) /* shorter than what a pipe holds */
        err = -errno;
    (void) close(in[0]);
    (void) close(in[1]);
    return err;
}

/* Writes a sentence to why where that fails. */
static void step_begin(struct pm_step *s, char *why, size_t len)
{
    char line[PM_CALL_LINE];

    s->answers =
        pm_answers_open(&(struct pm_answer_events) { s, take_call }, &s->ports, line, sizeof line);
    if (!s->answers && s->ports.low)
        (void) snprintf(why, len, "cannot listen for proxies at ports %d to %d: %s", s->ports.low,
                        s->ports.high, strerror(errno));
    else if (!s->answers)
        (void) snprintf(why, len, "cannot listen for proxies: %s", strerror(errno));
    if (!s->answers)
        return;
    int err = run_with(s, line);
    if (err)
        (void) snprintf(why, len, "%s cannot be started: %s", step_command_name(s), strerror(-err));
}

static void step_begin_on_timer(struct pm_timer *t)
{
    struct pm_step *s = OS_OWNER(t, struct pm_step, begin_timer);
    char why[256] = "";

    if (s->left < s->remotes)
        step_begin(s, why, sizeof why);
    if (*why)
        lose_all(s, why);
}

/* The step starts and ends its proxies together. */
static int launch_nothing(struct pm_remote *r)
{
    (void) r;
    return 0;
}

static void end_nothing(struct pm_remote *r, int signal) { (void) r, (void) signal; }

static const struct pm_remote_starter step_starter = { launch_nothing, end_nothing, false };

int pm_step_add(struct pm_step *s, struct pm_remote *r)
{
    struct pm_remote **more = realloc(s->remote, (size_t) (s->remotes + 1) * sizeof *more);

    if (!more)
        return -ENOMEM;
    s->remote = more;
    s->remote[s->remotes++] = r;
    s->missing++;
    r->starter = &step_starter;
    r->on_left = step_left;
    return 0;
}

bool pm_can_step(void) { return pm_seal_is_possible(); }

struct pm_step *pm_step_create(char *const *words, const struct pm_ports *ports,
                               const struct pm_signals *signals)
{
    const struct pm_command_events events = { NULL,      on_line,    on_closed,
                                              on_exited, on_overdue, on_abandoned };
    struct pm_step *s = calloc(1, sizeof *s);

    if (!s || !(s->words = pm_command_words(words))) {
        free(s);
        errno = ENOMEM;
        return NULL;
    }
    s->ports = *ports;
    s->signals = *signals;
    pm_command_init(&s->command, &events);
    s->command.events.owner = s;
    pm_timer_set(&s->begin_timer, 0, step_begin_on_timer);
    return s;
}
