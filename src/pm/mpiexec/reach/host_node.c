/* host_node.c — the node of a host: the one inside mpiexec, or one behind a proxy.
 *
 * A job that is on the node of mpiexec alone has it inside, and no proxy. Otherwise all its nodes
 * have proxies, also that one. When the job of the command line has it inside, and spawns a job
 * that has proxies, mpiexec has both. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "pm/node/log.h"
#include "pm/channel/pm_proxy.h"
#include "pm/mpiexec/reach/reach_impl.h"

static void log_command(const struct pm_host *h, const struct pm_proxy_command *c)
{
    char text[2048] = "";

    for (size_t i = 0, n = 0; i < c->words && n < sizeof text; i++)
        n += (size_t) snprintf(text + n, sizeof text - n, " %s", c->word[i]);
    pm_log("host %s:%s", h->name, text);
}

/* Opens a relay, on the host that c reaches. */
static int open_relay(struct pm_run *r, const struct pm_host_entry *e,
                      const struct pm_proxy_command *c, struct pm_remote **relay)
{
    struct pm_proxy_command own = *c;

    own.word[own.words - 1] = (char *) (uintptr_t) PM_RELAY_ARGUMENT;
    *relay =
        pm_relay_open(&(struct pm_remote_config) { .host = e->name,
                                                   .command = own.word,
                                                   .launcher = own.launcher,
                                                   .timeout_ms = r->spec->node_timeout_s * 1000,
                                                   .signals = &r->signals });
    return *relay ? 0 : -errno;
}

/* When there are more hosts than are reached directly, they are in groups. A relay on the first
 * host of a group reaches the others. */
static int find_relay(struct pm_host *h, const struct pm_host_entry *e, int hosts,
                      const struct pm_proxy_command *c, struct pm_remote_config *config)
{
    struct pm_run *r = h->run;
    int direct = r->spec->direct_hosts, number = h->number, group = number % direct;
    static char *own[] = { NULL, (char *) (uintptr_t) PM_PROXY_ARGUMENT, NULL };
    int err = 0;

    if (c->step || group + direct >= hosts || (number >= direct && e->here))
        return 0;
    if (!r->relay && !(r->relay = calloc((size_t) direct, sizeof *r->relay)))
        return -ENOMEM;
    if (number < direct) {
        err = open_relay(r, e, c, &r->relay[group]);
        own[0] = (char *) (uintptr_t) c->path; /* it is copied */
        config->command = own;
        config->launcher = NULL;
    }
    config->via = r->relay[group];
    return err;
}

static int open_by(struct pm_host *h, const struct pm_host_entry *e, int hosts,
                   const struct pm_proxy_command *c)
{
    struct pm_run *r = h->run;
    struct pm_remote_events events = *r->events;
    struct pm_remote_config config = { .host = e->name,
                                       .timeout_ms = r->spec->node_timeout_s * 1000,
                                       .signals = &r->signals };

    if (c->step && !r->step && !(r->step = pm_step_create(c->word, &r->spec->ports, &r->signals)))
        return -errno;
    h->invented = (!c->launcher || c->step) && !e->here;
    events.node.owner = h;
    config.command = c->step ? NULL : c->word;
    config.step = c->step ? r->step : NULL;
    config.launcher = c->launcher;
    int err = find_relay(h, e, hosts, c, &config);
    if (err)
        return err;
    h->remote = pm_remote_open(&config, &events);
    return h->remote ? 0 : -errno;
}

static int open_remote(struct pm_host *h, const struct pm_host_entry *e, int hosts)
{
    char why[PM_WHY_MAX];
    struct pm_proxy_command c;
    int err = 0;

    if (pm_proxy_command_make(h->run->spec, e, &c, why, sizeof why)) {
        pm_log("host %s: %s", h->name, why);
        err = PM_REFUSED_HOST;
    } else {
        if (h->run->spec->verbose)
            log_command(h, &c);
        err = open_by(h, e, hosts, &c);
    }
    pm_proxy_command_free(&c);
    return err;
}

static int open_inside(struct pm_host *h)
{
    struct pm_node_events events = h->run->events->node;

    events.owner = h;
    h->node = pm_node_create(&events, &h->run->signals);
    return h->node ? 0 : -errno;
}

int pm_host_open(struct pm_host *h, const struct pm_host_entry *e, int hosts, bool inside)
{
    return inside ? open_inside(h) : open_remote(h, e, hosts);
}

bool pm_run_over(const struct pm_run *r)
{
    for (int i = 0; i < r->hosts; i++)
        if (!r->host[i]->ended)
            return false;
    return true;
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

void pm_host_resize(struct pm_host *h, int rows, int columns)
{
    if (h->remote)
        pm_remote_resize(h->remote, rows, columns);
    else
        pm_node_resize(h->node, rows, columns);
}

void pm_host_input(struct pm_host *h, int process, const char *bytes, size_t len)
{
    if (h->remote)
        pm_remote_input(h->remote, process, bytes, len);
    else
        pm_node_input(h->node, process, bytes, len);
}

void pm_host_signal(struct pm_host *h, int job, int signal)
{
    if (h->remote)
        pm_remote_signal(h->remote, job, signal);
    else
        pm_node_signal(h->node, job, signal);
}

void pm_host_forget(struct pm_host *h, int job)
{
    if (h->remote)
        pm_remote_forget(h->remote, job);
    else
        pm_node_forget_job(h->node, job);
}

void pm_host_find_exiting(struct pm_host *h)
{
    if (h->remote)
        pm_remote_find_exiting(h->remote);
    else
        pm_node_find_exiting(h->node);
}

void pm_host_finish(struct pm_host *h)
{
    if (h->remote)
        pm_remote_finish(h->remote);
    else
        pm_node_finish(h->node);
}

void pm_host_end(struct pm_host *h, int signal, int grace_ms)
{
    if (h->remote)
        pm_remote_end(h->remote, signal, grace_ms);
    else
        pm_node_end(h->node, signal, grace_ms);
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
