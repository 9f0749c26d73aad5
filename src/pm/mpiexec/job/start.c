/* start.c — prepares the nodes of a job, and tells them to start its ranks. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
#include "pm/mpiexec/job/job_impl.h"

enum { BATCH = 16 }; /* ranks started between two turns of the event loop */

/* What the ranks of each program execute. */
static int executables_describe(struct pm_job *j)
{
    const struct pm_spec *s = j->spec;
    bool remote = j->host->remote;
    struct pm_executable *all = calloc(s->programs, sizeof *all);

    j->run->executable = all;
    for (size_t i = 0; all && i < s->programs; i++) {
        const struct pm_program *p = &s->program[i];
        all[i] = (struct pm_executable) { .argv = p->argv,
                                          .arch = p->arch,
                                          .wdir = p->wdir,
                                          .path = p->path ? p->path : getenv("PATH"),
                                          .environ = pm_environ(s, p, remote),
                                          .login = remote && pm_environ_is_whole(s, p) };
        if (!all[i].environ)
            return -ENOMEM;
    }
    return all ? 0 : -ENOMEM;
}

/* A node gets only the programs of its ranks: others need not be there. */
static int prepare_host(struct pm_job *j, struct pm_host *h)
{
    const struct pm_spec *s = j->spec;
    size_t most = s->programs < (size_t) h->size ? s->programs : (size_t) h->size, n = 0;
    bool files = !h->remote && (s->outfile || s->errfile || s->outdir);
    bool topology = pm_bind_needs_topology(&h->bind) || s->report_bindings;

    h->executable = calloc(most, sizeof *h->executable);
    h->program = calloc(most, sizeof *h->program);
    if (!h->executable || !h->program)
        return -ENOMEM;
    for (int i = 0; i < h->size; i++) {
        struct pm_rank *r = &j->rank[h->rank[i]];
        size_t program = (size_t) (r->program - s->program);
        if (!n || h->program[n - 1] != program) {
            h->executable[n] = j->run->executable[program];
            h->program[n++] = program;
        }
        r->executable = n - 1;
    }
    pm_host_prepare(
        h, &(struct pm_plan) { .executable = h->executable,
                               .executables = n,
                               .processes = h->size,
                               .files_of_owner = files ? 4 * (size_t) j->size : 0,
                               .topology = topology,
                               .leftovers_ms = pm_grace_ms(s, SIGTERM, PM_END_LEFTOVERS) });
    return 0;
}

int pm_prepare(struct pm_job *j)
{
    int err = executables_describe(j);

    for (int i = 0; !err && !j->ends && i < j->hosts; i++)
        err = prepare_host(j, &j->host[i]);
    if (!err && !j->ends)
        pm_progress_begin(j);
    return err;
}

/* A job with a single rank, whose lines have no prefix, holds no lines. Behind a pipe may be a
 * person or a program that answers a rank. */
static enum pm_hold line_hold_mode(const struct pm_job *j, const struct pm_sink *k)
{
    if (j->size == 1 && !j->spec->prefix)
        return PM_HOLD_NOTHING;
    if (pm_sink_is_tty(k))
        return PM_HOLD_PROMPTS;
    return pm_sink_is_live(k) && pm_is_live(STDIN_FILENO) ? PM_HOLD_QUESTIONS : PM_HOLD_LINES;
}

static void start_rank(struct pm_job *j, int rank)
{
    struct pm_rank *r = &j->rank[rank];
    char cpus[PM_CPUS_TEXT], file[PM_OUTPUT_FILE_MAX];
    struct pm_start s = { .rank = rank,
                          .local_rank = r->process,
                          .local_size = r->host->size,
                          .executable = r->executable,
                          .cpus = pm_bind_text(r, cpus, sizeof cpus) };

    int err = pm_output_of(j, rank, file);
    if (err) {
        pm_fail_job(j, &(struct pm_job_status) { PM_OUTPUT_ERROR, rank, -err, file });
        return;
    }
    for (int i = 0; i < PM_STREAMS; i++) {
        s.sink[i] = r->sink[i] ? pm_sink_number(r->sink[i]) : PM_NO_SINK;
        s.hold[i] = r->sink[i] ? line_hold_mode(j, r->sink[i]) : PM_HOLD_NOTHING;
    }
    s.pty = pm_wants_pty(r);
    if (j->spec->report_bindings)
        pm_bind_report(j, rank);
    s.input = pm_input_add(j, r);
    r->state = PM_RANK_RUNS;
    j->running++;
    pm_host_start(r->host, &s);
}

static bool all_ready(const struct pm_job *j)
{
    for (int i = 0; i < j->hosts; i++)
        if (!j->host[i].ready)
            return false;
    return true;
}

bool pm_start_some(struct pm_job *j)
{
    if (j->started == j->size || !all_ready(j))
        return false;
    if (!j->started) {
        pm_progress_end(j);
        pm_resize_ptys(j);
    }
    for (int i = 0; i < BATCH && j->started < j->size && !j->ends; i++)
        start_rank(j, j->started++);
    if (j->started == j->size && !j->ends)
        pm_input_begin(j);
    return j->started < j->size && !j->ends;
}
