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
    bool remote = j->part->host->remote;
    struct pm_executable *all = calloc(j->programs, sizeof *all);

    j->executable = all;
    for (size_t i = 0; all && i < j->programs; i++) {
        const struct pm_program *p = &j->program[i];
        all[i] = (struct pm_executable) { .argv = p->argv,
                                          .arch = p->arch,
                                          .wdir = p->wdir ? p->wdir : p->cwd,
                                          .wdir_may_miss = p->cwd && !p->wdir,
                                          .path = p->path ? p->path : pm_environ_path(j),
                                          .path_first = p->path_first,
                                          .environ = pm_environ(j, p, remote),
                                          .login = remote && pm_environ_is_whole(j->run->spec, p) };
        if (!all[i].environ)
            return -ENOMEM;
    }
    return all ? 0 : -ENOMEM;
}

/* A node gets only the programs of its ranks: others need not be there. */
static int prepare_part(struct pm_part *part)
{
    const struct pm_job *j = part->job;
    const struct pm_spec *s = j->run->spec;
    struct pm_host *h = part->host;
    size_t size = (size_t) part->size, most = j->programs < size ? j->programs : size, n = 0;
    bool files = !h->remote && (s->outfile || s->errfile || s->outdir);
    bool topology =
        !h->topology && (pm_bind_needs_topology(pm_bind_of(part)) || s->report_bindings);

    part->executable = calloc(most, sizeof *part->executable);
    part->program = calloc(most, sizeof *part->program);
    if (!part->executable || !part->program)
        return -ENOMEM;
    for (int i = 0; i < part->size; i++) {
        struct pm_rank *r = &j->rank[part->rank[i]];
        size_t program = (size_t) (r->program - j->program);
        if (!n || part->program[n - 1] != program) {
            part->executable[n] = j->executable[program];
            part->program[n++] = program;
        }
        r->executable = (int) n - 1;
    }
    part->executables = n;
    pm_host_prepare(
        h, &(struct pm_plan) { .job = j->number,
                               .executable = part->executable,
                               .executables = n,
                               .processes = part->size,
                               .files_of_owner = files ? 4 * (size_t) j->size : 0,
                               .topology = topology,
                               .leftovers_ms = pm_grace_ms(s, SIGTERM, PM_END_LEFTOVERS) });
    return 0;
}

int pm_prepare(struct pm_job *j)
{
    int err = executables_describe(j);

    j->run->starting++;
    j->prepared = true;
    for (int i = 0; !err && !j->run->ends && i < j->parts; i++)
        err = prepare_part(&j->part[i]);
    if (!err && !j->run->ends && !j->number)
        pm_progress_begin(j->run);
    return err;
}

/* A single rank of a call of mpiexec, whose lines have no prefix, holds no lines. Behind a pipe may
 * be a person or a program that answers a rank. */
static enum pm_hold line_hold_mode(const struct pm_job *j, const struct pm_sink *k)
{
    if (j->size == 1 && !j->number && !j->run->spec->prefix)
        return PM_HOLD_NOTHING;
    if (pm_sink_is_tty(k))
        return PM_HOLD_PROMPTS;
    return pm_sink_is_live(k) && pm_is_live(STDIN_FILENO) ? PM_HOLD_QUESTIONS : PM_HOLD_LINES;
}

static void start_rank(struct pm_rank *r)
{
    struct pm_job *j = r->job;
    char cpus[PM_CPUS_TEXT], file[PM_OUTPUT_FILE_MAX];
    struct pm_start s = { .job = j->number,
                          .rank = r->number,
                          .local_rank = r->local,
                          .local_size = r->part->size,
                          .executable = (size_t) r->executable,
                          .cpus = pm_bind_text(r, cpus, sizeof cpus) };

    int err = pm_output_of(r, file);
    if (err) {
        r->error = -err;
        pm_fail_job(j, &(struct pm_status) { PM_OUTPUT_ERROR, r, -err, file });
        return;
    }
    if (pm_host_add_process(r)) {
        r->error = ENOMEM;
        pm_fail_job(j, &(struct pm_status) { PM_NOT_STARTED, r, ENOMEM, "its record" });
        return;
    }
    for (int i = 0; i < PM_STREAMS; i++) {
        s.sink[i] = r->sink[i] ? pm_sink_number(r->sink[i]) : PM_NO_SINK;
        s.hold[i] = r->sink[i] ? line_hold_mode(j, r->sink[i]) : PM_HOLD_NOTHING;
    }
    s.process = r->process;
    s.pty = pm_wants_pty(r);
    if (j->run->spec->report_bindings)
        pm_bind_report(r);
    s.input = pm_input_add(r);
    r->state = PM_RANK_RUNS;
    j->running++;
    j->run->running++;
    pm_host_start(r->host, &s);
}

static bool all_ready(const struct pm_job *j)
{
    for (int i = 0; i < j->parts; i++)
        if (!j->part[i].ready)
            return false;
    return true;
}

static bool may_start(const struct pm_job *j)
{
    return j->started < j->size && !j->run->ends && !j->stopped;
}

static bool start_some_of(struct pm_job *j)
{
    const struct pm_run *r = j->run;

    if (j->started == j->size || j->stopped || !all_ready(j))
        return false;
    if (!j->started) {
        pm_progress_end(j->run);
        pm_resize_ptys(j->run);
    }
    for (int i = 0; i < BATCH && may_start(j); i++)
        start_rank(&j->rank[j->started++]);
    if (j->started == j->size)
        j->run->starting--;
    if (j->started == j->size && !r->ends && !j->number)
        pm_input_begin(j);
    return may_start(j);
}

bool pm_start_some(struct pm_run *r)
{
    bool more = false;

    pm_forget_jobs(r);
    for (struct pm_job *j = r->job; j && r->starting; j = j->next)
        more = start_some_of(j) || more;
    return more;
}
