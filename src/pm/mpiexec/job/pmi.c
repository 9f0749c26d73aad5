/* pmi.c — the PMI server of a job. The ranks are connected to it when all are on the node of
 * mpiexec; otherwise their nodes have hubs, and it is the root of these. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "pm/mpiexec/job/job_impl.h"
#include "platform/os.h"

enum { LOST_MS = 1000, PROGRAM_TEXT = 1024 };

void pm_protocol_error(struct pm_rank *r, const char *why)
{
    pm_fail_job(r->job, &(struct pm_status) { PM_PROTOCOL_ERROR, r, 0, why });
}

static struct pm_rank *rank_of(void *owner, int rank)
{
    return ((struct pm_job *) owner)->rank + rank;
}

static void on_send(void *owner, int rank, const char *bytes, size_t len)
{
    const struct pm_rank *r = rank_of(owner, rank);

    pm_node_pmi(r->host->node, r->process, bytes, len);
}

static void on_share(void *owner, int rank, int memory, const char *line, const char *otherwise)
{
    const struct pm_rank *r = rank_of(owner, rank);

    pm_node_share(r->host->node, r->process, memory, line, otherwise);
}

static void on_forget(void *owner, int memory)
{
    const struct pm_job *j = owner;

    pm_node_forget(j->part->host->node, memory);
}

static void on_note(void *owner, int node, const struct pm_note *note)
{
    const struct pm_job *j = owner;

    pm_remote_note(j->part[node].host->remote, j->number, note);
}

static void on_abort(void *owner, int rank, int code, const char *why)
{
    const struct pm_rank *r = rank_of(owner, rank);

    pm_fail_job(r->job, &(struct pm_status) { PM_ABORTED, r, code, why });
}

static void on_broken(void *owner, int rank, const char *why)
{
    pm_protocol_error(rank_of(owner, rank), why);
}

static void on_warning(void *owner, int rank, const char *what)
{
    const struct pm_job *j = owner;
    char name[PM_RANK_NAME];

    pm_log("%s %s", pm_rank_name(j->number, rank, name), what);
}

static void on_spawn(void *owner, int rank, int request, const struct pm_spawn *s)
{
    ((struct pm_job *) owner)->run->outcome->spawn(rank_of(owner, rank), request, s);
}

static void on_verdict(void *owner, int rank, int request, bool kill)
{
    pm_take_verdict(rank_of(owner, rank), request, kill);
}

/* The values of MPI_INFO_ENV (§8.7) that a process cannot find by itself. NULL: no memory. What
 * does not fit is left out. */
static char *program_env_info(const struct pm_spec *s, const struct pm_program *p)
{
    const char *const of[][2] = { { "soft", p->soft }, { "host", p->host ? p->host : s->host },
                                  { "arch", p->arch }, { "file", p->file },
                                  { "path", p->path }, { "usize", s->usize } };
    char text[PROGRAM_TEXT];
    size_t len = (size_t) snprintf(text, sizeof text, "maxprocs=%d", p->maxprocs);

    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        const char *value = of[i][1];
        if (!value || strchr(value, '\n') || len + strlen(value) + 16 > sizeof text)
            continue;
        len += (size_t) snprintf(text + len, sizeof text - len, "\n%s=%s", of[i][0], value);
    }
    return strdup(text);
}

static int serve_job(struct pm_job *j, const struct pm_server_config *config)
{
    const struct pm_events events = { .owner = j,
                                      .send = on_send,
                                      .share = on_share,
                                      .forget = on_forget,
                                      .abort = on_abort,
                                      .broken = on_broken,
                                      .warn = on_warning,
                                      .spawn = on_spawn,
                                      .verdict = on_verdict,
                                      .down = on_note };
    struct pm_outcome *o = j->run->outcome;

    if (!o->server)
        o->server = pm_server_create(j->run->spec->universe);
    j->server = o->server ? pm_server_add_job(o->server, config, &events) : NULL;
    return j->server ? 0 : -errno;
}

static void make_hubs(struct pm_job *j, struct pm_server_config *config)
{
    for (config->here = 0; config->here < config->hubs; config->here++)
        pm_remote_job(j->part[config->here].host->remote, j->number, config,
                      j->run->spec->universe);
}

static void free_texts(char **text, size_t n)
{
    for (size_t i = 0; text && i < n; i++)
        free(text[i]);
    free(text);
}

/* The name of the job, and the program and node of each rank. */
static int server_config_fill(struct pm_job *j, int *appnum, int *node, int *said)
{
    uint64_t random;
    int err = os_random(&random, sizeof random);

    (void) snprintf(j->name, sizeof j->name, "starling_%d_%016llx", (int) getpid(),
                    (unsigned long long) random);
    for (int i = 0; i < j->size; i++) {
        const struct pm_program *p = j->rank[i].program;
        appnum[i] = (int) (p - j->program);
        said[i] = p->has_appnum ? p->appnum : appnum[i];
        node[i] = (int) (j->rank[i].part - j->part);
    }
    return err;
}

int pm_serve(struct pm_job *j, const char *const *preput)
{
    const struct pm_spec *s = j->run->spec;
    size_t n = j->programs;
    char **program = calloc(n + 1, sizeof *program);
    int *ints = malloc((size_t) j->size * 3 * sizeof *ints), *node = ints ? ints + j->size : NULL;
    int *said = ints ? node + j->size : NULL;
    int err = ints && program ? server_config_fill(j, ints, node, said) : -ENOMEM;

    for (size_t i = 0; i < n && !err; i++)
        if (!(program[i] = program_env_info(s, &j->program[i])))
            err = -ENOMEM;
    struct pm_server_config config = { .size = j->size,
                                       .appnum = ints,
                                       .said = said,
                                       .node = node,
                                       .hubs = j->part->host->remote ? j->parts : 0,
                                       .name = j->name,
                                       .spawner = j->spawner ? j->spawner->job->name : NULL,
                                       .preput = preput,
                                       .survives = s->survive,
                                       .settings = s->settings,
                                       .programs = (const char *const *) program };
    if (!err)
        err = serve_job(j, &config);
    if (!err)
        make_hubs(j, &config);
    free_texts(program, n);
    free(ints);
    return err;
}

/* Called some time after a rank has closed its socket between init and finalize. Most such ranks
 * are about to exit, and their exit code is the better report; one that still runs has failed
 * here. */
static void check_lost_links(struct pm_timer *t)
{
    const struct pm_run *run = OS_OWNER(t, struct pm_outcome, lost_link)->run;

    for (const struct pm_job *j = run->job; j; j = j->next) {
        for (struct pm_rank *r = j->rank; j->server && r < j->rank + j->size; r++) {
            if (r->state != PM_RANK_RUNS || !r->pmi_ended
                || pm_server_client_state(j->server, r->number) != PM_CLIENT_JOINED)
                continue;
            pm_protocol_error(r, "closed its connection to mpiexec without MPI_Finalize");
            return;
        }
    }
}

void pm_rank_closed_pmi(struct pm_rank *r)
{
    r->pmi_ended = true;
    if (pm_server_client_state(r->job->server, r->number) == PM_CLIENT_JOINED)
        pm_timer_set(&r->job->run->outcome->lost_link, LOST_MS, check_lost_links);
}
