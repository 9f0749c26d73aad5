/* host.c — the node of a host: the one inside mpiexec, or one behind a proxy.
 *
 * A job that is on the node of mpiexec alone has it inside, and no proxy. Otherwise all its nodes
 * have proxies, also that one: the children of mpiexec are then those that reach proxies, and no
 * ranks. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "job.h"
#include "os.h"
#include "pm_proxy.h"

enum { WORDS_MAX = 128, EXTRA_MAX = 64 };

struct command {
    char *word[WORDS_MAX + 1];
    size_t n;
    char timeout[32], path[OS_PATH + 2], quoted[OS_PATH + 4];
};

static void add(struct command *c, const char *word)
{
    if (c->n < WORDS_MAX)
        c->word[c->n++] = (char *) (uintptr_t) word;
}

static int refuse(struct pm_host *h, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* fmt completes "host NAME: ". */
static int refuse(struct pm_host *h, const char *fmt, ...)
{
    char text[OS_PATH + 256];
    va_list args;

    va_start(args, fmt);
    (void) vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    pm_log("host %s: %s", h->name, text);
    pm_fail_job(h->job, &(struct pm_job_status) { PM_REFUSED, -1, PM_EXIT_USAGE, NULL });
    return 0;
}

/* The file of mpiexec itself; false: it is not known. */
static bool find_own(char path[OS_PATH + 2])
{
    ssize_t n = readlink("/proc/self/exe", path, OS_PATH);

    path[n > 0 ? n : 0] = '\0';
    return n > 0;
}

/* Where the proxy is on other hosts: below -prefix, or where mpiexec is here. */
static bool find_proxy(const struct pm_spec *s, char path[OS_PATH + 2])
{
    int n = s->tree                      ? snprintf(path, OS_PATH, "%s/bin/mpiexec", s->tree)
            : s->self && *s->self == '/' ? snprintf(path, OS_PATH, "%s", s->self)
                                         : 0;

    return n ? n < OS_PATH : find_own(path);
}

/* The shell there may be any: sh, csh and fish read what is between these quotes alike, but for
 * some letters. */
static bool quote(const char *path, char quoted[OS_PATH + 4])
{
    (void) snprintf(quoted, OS_PATH + 4, "'%.*s'", OS_PATH, path);
    return !path[strcspn(path, "'!\\\n")];
}

/* Adds the words of a variable, which are separated by blanks. They stay allocated. */
static void add_words(struct command *c, const char *variable)
{
    const char *value = getenv(variable);
    char *text = value ? strdup(value) : NULL, *rest = text;

    for (char *word; rest && c->n < EXTRA_MAX && (word = strtok_r(rest, " \t", &rest));)
        add(c, word);
}

/* The name or value that an option or one of two variables gives; or NULL. */
static const char *given(const char *option, const char *variable, const char *other)
{
    const char *value = option ? option : getenv(variable);

    if (!value || !*value)
        value = getenv(other);
    return value && *value ? value : NULL;
}

static void add_ssh(struct command *c, const struct pm_spec *s, bool rsh)
{
    const char *program = given(s->launcher_exec, "HYDRA_LAUNCHER_EXEC", "HYDRA_BOOTSTRAP_EXEC");

    add(c, program ? program : rsh ? "rsh" : "ssh");
    if (!rsh) {
        (void) snprintf(c->timeout, sizeof c->timeout, "ConnectTimeout=%d",
                        s->node_timeout_s > PM_NODE_TIMEOUT_S ? s->node_timeout_s
                                                              : PM_NODE_TIMEOUT_S);
        add(c, "-x");
        add(c, "-o");
        add(c, "BatchMode=yes");
        add(c, "-o");
        add(c, c->timeout);
    }
    add_words(c, "HYDRA_LAUNCHER_EXTRA_ARGS");
    add_words(c, "HYDRA_LAUNCH_EXTRA_ARGS");
}

/* Fills c. False: the host has been refused. */
static bool make_command(struct pm_host *h, const struct pm_host_entry *e, bool fork, bool rsh,
                         struct command *c)
{
    const struct pm_spec *s = h->job->spec;

    if (!(fork ? find_own(c->path) : find_proxy(s, c->path)))
        return refuse(h, "the file of mpiexec is not known");
    if (fork) {
        add(c, c->path);
    } else {
        if (!quote(c->path, c->quoted))
            return refuse(h,
                          "its shell may not understand the path of its proxy, %s; "
                          "-prefix can name another",
                          c->path);
        add_ssh(c, s, rsh);
        if (e->user) {
            add(c, "-l");
            add(c, e->user);
        }
        add(c, e->name);
        add(c, c->quoted);
    }
    add(c, PM_PROXY_ARGUMENT);
    return true;
}

static void log_command(const struct pm_host *h, const struct command *c)
{
    char text[2048] = "";

    for (size_t i = 0, n = 0; i < c->n && n < sizeof text; i++)
        n += (size_t) snprintf(text + n, sizeof text - n, " %s", c->word[i]);
    pm_log("host %s:%s", h->name, text);
}

static int open_remote(struct pm_host *h, const struct pm_host_entry *e, bool fork, bool rsh)
{
    struct pm_job *j = h->job;
    struct pm_remote_events events = { .node = pm_host_events, .lost = pm_host_lost };
    struct command c = { .n = 0 };

    if (!make_command(h, e, fork, rsh, &c))
        return 0;
    if (j->spec->verbose)
        log_command(h, &c);
    events.node.owner = h;
    h->remote =
        pm_remote_open(&(struct pm_remote_config) { .host = e->name,
                                                    .command = c.word,
                                                    .by_ssh = !fork,
                                                    .timeout_ms = j->spec->node_timeout_s * 1000,
                                                    .signals = &j->signals },
                       &events);
    return h->remote ? 0 : -errno;
}

static int open_inside(struct pm_host *h)
{
    struct pm_node_events events = pm_host_events;

    events.owner = h;
    h->node = pm_node_create(&events, &h->job->signals);
    return h->node ? 0 : -errno;
}

int pm_host_open(struct pm_job *j, struct pm_host *h, const struct pm_host_entry *e)
{
    const char *launcher = given(j->spec->launcher, "HYDRA_LAUNCHER", "HYDRA_BOOTSTRAP");
    bool fork = launcher && !strcmp(launcher, "fork"), rsh = launcher && !strcmp(launcher, "rsh");

    if (e->here && h->size == j->size)
        return open_inside(h);
    if (launcher && !fork && !rsh && strcmp(launcher, "ssh") != 0)
        return refuse(h, "the launcher is '%s', and this version has fork, rsh and ssh", launcher);
    h->invented = fork && !e->here;
    return open_remote(h, e, fork || e->here, rsh);
}

/* ---- commands -------------------------------------------------------------------------------- */

void pm_host_prepare(struct pm_host *h, const struct pm_plan *plan)
{
    if (h->remote)
        pm_remote_prepare(h->remote, plan);
    else
        pm_node_prepare(h->node, plan);
}

void pm_host_start(struct pm_host *h, const struct pm_start *start)
{
    if (h->remote)
        pm_remote_start(h->remote, start);
    else
        pm_node_start(h->node, start);
}

void pm_host_pause(struct pm_host *h, int sink, bool paused)
{
    if (h->remote)
        pm_remote_pause(h->remote, sink, paused);
    else
        pm_node_pause(h->node, sink, paused);
}

void pm_host_pmi(struct pm_host *h, int process, const char *bytes, size_t len)
{
    if (h->remote)
        pm_remote_pmi(h->remote, process, bytes, len);
    else
        pm_node_pmi(h->node, process, bytes, len);
}

void pm_host_share(struct pm_host *h, int process, int memory, const char *line,
                   const char *otherwise)
{
    if (h->remote)
        pm_remote_share(h->remote, process, memory, line, otherwise);
    else
        pm_node_share(h->node, process, memory, line, otherwise);
}

void pm_host_forget(struct pm_host *h, int memory)
{
    if (h->remote)
        pm_remote_forget(h->remote, memory);
    else
        pm_node_forget(h->node, memory);
}

void pm_host_input(struct pm_host *h, int process, const char *bytes, size_t len)
{
    if (h->remote)
        pm_remote_input(h->remote, process, bytes, len);
    else
        pm_node_input(h->node, process, bytes, len);
}

void pm_host_signal(struct pm_host *h, int signal)
{
    if (h->remote)
        pm_remote_signal(h->remote, signal);
    else
        pm_node_signal(h->node, signal);
}

void pm_host_finish(struct pm_host *h)
{
    if (h->remote)
        pm_remote_finish(h->remote);
    else
        pm_node_finish(h->node);
}

void pm_host_end(struct pm_host *h, int signal)
{
    if (h->remote)
        pm_remote_end(h->remote, signal);
    else
        pm_node_end(h->node, signal);
}

void pm_host_kill(struct pm_host *h)
{
    if (h->remote)
        pm_remote_kill(h->remote);
    else
        pm_node_kill(h->node);
}

void pm_host_drop_output(struct pm_host *h)
{
    if (h->remote)
        pm_remote_drop_output(h->remote);
    else
        pm_node_drop_output(h->node);
}
