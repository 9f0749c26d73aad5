/* events.c — what the nodes of a job report. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "pm/mpiexec/job/job_impl.h"

static void on_ready(void *owner, const char *host, const char *topology)
{
    struct pm_host *h = owner;

    if (!h->invented)
        (void) snprintf(h->name, sizeof h->name, "%s", host);
    pm_bind_host(h, topology);
    h->ready = true;
    pm_check_refusals(h->job);
}

static void no_program(struct pm_host *h, const struct pm_program *p, int err)
{
    const char *name = p->argv[0];
    int code = err == -ENOENT ? PM_EXIT_MISSING : PM_EXIT_CANNOT;

    if (!*name)
        pm_refuse_job(h, code, "cannot start '': the name of a program is empty");
    else if (err == -ENOENT && !strchr(name, '/'))
        pm_refuse_job(h, code, "cannot start '%s': %s, neither in %s nor in the current directory",
                      name, strerror(-err), p->path ? p->path : "PATH");
    else
        pm_refuse_job(h, code, "cannot start '%s': %s", name, strerror(-err));
}

static void no_directory(struct pm_host *h, const struct pm_program *p, int err)
{
    char here[4096] = "";

    if (p->wdir)
        pm_refuse_job(h, PM_EXIT_USAGE, "'%s %s': %s", p->wdir_option, p->wdir, strerror(-err));
    else
        pm_refuse_job(h, PM_EXIT_USAGE, "the working directory of mpiexec, %s: %s; see -wdir",
                      getcwd(here, sizeof here) ? here : "?", strerror(-err));
}

static void on_refused(void *owner, const struct pm_refusal *why)
{
    struct pm_host *h = owner;
    const struct pm_spec *s = h->job->spec;
    const struct pm_program *p = &s->program[h->program[why->executable]];

    switch (why->what) {
    case PM_NO_PROGRAM:
        no_program(h, p, why->err);
        break;
    case PM_NO_DIRECTORY:
        no_directory(h, p, why->err);
        break;
    case PM_NO_ARCH:
        pm_refuse_job(h, PM_EXIT_USAGE, "'-arch %s': the host is of another architecture", p->arch);
        break;
    case PM_OPEN_MPI:
        pm_refuse_job(h, PM_EXIT_CANNOT,
                      "cannot start '%s': it is linked to Open MPI, whose processes would not find "
                      "each other; compile it with Starling's mpicc, or start it with Open MPI's "
                      "mpirun",
                      p->argv[0]);
        break;
    case PM_FEW_FILES:
        pm_refuse_job(h, PM_EXIT_USAGE,
                      "%d ranks need %llu open files, and the limit is %llu (ulimit -n)", h->size,
                      (unsigned long long) why->files, (unsigned long long) why->limit);
        break;
    case PM_NO_RESOURCE:
        pm_refuse_job(h, PM_EXIT_USAGE, "cannot start the job: %s", strerror(-why->err));
        break;
    }
}

static void on_started(void *owner, int process, pid_t pid, const char *file)
{
    const struct pm_host *h = owner;
    struct pm_rank *r = &h->job->rank[h->rank[process]];

    r->pid = pid;
    r->started_ns = pm_clock_ns();
    if (h->job->spec->verbose && h->remote)
        pm_log("rank %d is process %d on %s: %s", h->rank[process], (int) pid, h->name, file);
    else if (h->job->spec->verbose)
        pm_log("rank %d is process %d: %s", h->rank[process], (int) pid, file);
}

static void end_rank(struct pm_job *j, int rank)
{
    j->rank[rank].state = PM_RANK_ENDED;
    j->rank[rank].ended_ns = pm_clock_ns();
    j->running--;
    pm_ranks_ended(j);
}

static void on_not_started(void *owner, int process, int err, const char *what)
{
    const struct pm_host *h = owner;
    int rank = h->rank[process];

    pm_fail_job(h->job, &(struct pm_job_status) { PM_NOT_STARTED, rank, err, what });
    end_rank(h->job, rank);
}

static void on_output(void *owner, int process, int stream, const char *bytes, size_t len,
                      bool more)
{
    const struct pm_host *h = owner;

    pm_output_put(h->job, h->rank[process], stream, &(struct pm_text) { bytes, len, more, 0 });
}

static void on_output_ended(void *owner, int process, int stream)
{
    const struct pm_host *h = owner;

    pm_output_ended(h->job, h->rank[process], stream);
}

static void on_pmi(void *owner, int process, const char *bytes, size_t len)
{
    const struct pm_host *h = owner;

    pm_server_input(h->job->run->server, h->rank[process], bytes, len);
}

static void on_pmi_ended(void *owner, int process)
{
    const struct pm_host *h = owner;

    pm_rank_closed_pmi(h->job, h->rank[process]);
}

static void on_pmi_stuck(void *owner, int process)
{
    const struct pm_host *h = owner;

    pm_protocol_error(h->job, h->rank[process], "does not read the replies to its PMI requests");
}

static void on_input_taken(void *owner, int process)
{
    const struct pm_host *h = owner;

    pm_input_taken(&h->job->rank[h->rank[process]]);
}

static void on_input_ended(void *owner, int process)
{
    const struct pm_host *h = owner;

    pm_input_close(&h->job->rank[h->rank[process]]);
}

static void on_exiting(void *owner, int process)
{
    const struct pm_host *h = owner;

    h->job->rank[h->rank[process]].exiting = true;
}

static void on_exiting_found(void *owner) { pm_exiting_found(owner); }

static void on_exited(void *owner, int process, int wait_status, const char *last)
{
    const struct pm_host *h = owner;
    int rank = h->rank[process];

    h->job->rank[rank].exited = true;
    h->job->rank[rank].wait_status = wait_status;
    pm_rank_exited(h->job, rank, wait_status, last);
    pm_server_gone(h->job->run->server, rank);
    end_rank(h->job, rank);
}

static void on_ended(void *owner)
{
    struct pm_host *h = owner;

    h->ended = true;
    pm_check_refusals(h->job);
}

static int on_note(void *owner, const struct pm_note *note)
{
    const struct pm_host *h = owner;

    return pm_server_from_hub(h->job->run->server, (int) (h - h->job->host), note);
}

/* Its ranks have ended, or do so soon. */
static void on_lost(void *owner, const char *text)
{
    struct pm_host *h = owner;
    struct pm_job *j = h->job;
    const struct pm_job_status v = { PM_NODE_LOST, -1, h->ready ? PM_EXIT_LOST : PM_EXIT_CANNOT,
                                     text };
    bool goes_on = j->spec->survive && j->started == j->size;

    if (goes_on)
        pm_record_failure(j, &v);
    else
        pm_fail_job(j, &v);
    if (goes_on || j->run->status.cause != PM_NODE_LOST || strcmp(j->run->status.why, text) != 0)
        pm_log("%s", text);
    for (int i = 0; i < h->size; i++) {
        int rank = h->rank[i];
        pm_input_close(&j->rank[rank]);
        if (j->rank[rank].state != PM_RANK_RUNS)
            continue;
        for (int s = 0; s < PM_STREAMS; s++)
            pm_output_ended(j, rank, s);
        pm_server_lost(j->run->server, rank);
        end_rank(j, rank);
    }
    pm_exiting_found(h);
}

const struct pm_remote_events pm_job_events = {
    .node = {
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
        .ended = on_ended,
    },
    .lost = on_lost,
    .note = on_note,
    .signaled = pm_host_signaled,
};
