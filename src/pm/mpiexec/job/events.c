/* events.c — what the nodes of a job report. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "pm/mpiexec/job/job_impl.h"

static struct pm_rank *rank_of(void *owner, int process)
{
    return ((struct pm_host *) owner)->process[process];
}

static struct pm_part *part_of(void *owner, int job)
{
    const struct pm_host *h = owner;

    return pm_part_on(pm_job_of(h->run, job), h);
}

static void on_ready(void *owner, int job, const char *host, const char *topology)
{
    struct pm_host *h = owner;
    struct pm_part *p = part_of(owner, job);

    if (!h->invented)
        (void) snprintf(h->name, sizeof h->name, "%s", host);
    pm_bind_part(p, topology);
    h->ready = p->ready = true;
    pm_check_refusals(p->job);
}

static void no_program(struct pm_part *part, const struct pm_program *p, int err)
{
    const char *name = p->argv[0];
    int code = err == -ENOENT ? PM_EXIT_MISSING : PM_EXIT_CANNOT;

    if (!*name)
        pm_refuse_part(part, code, "cannot start '': the name of a program is empty");
    else if (err == -ENOENT && !strchr(name, '/'))
        pm_refuse_part(part, code,
                       "cannot start '%s': %s, neither in %s nor in the current directory", name,
                       strerror(-err), p->path ? p->path : "PATH");
    else
        pm_refuse_part(part, code, "cannot start '%s': %s", name, strerror(-err));
}

static void no_directory(struct pm_part *part, const struct pm_program *p, int err)
{
    char here[4096] = "";

    if (p->wdir)
        pm_refuse_part(part, PM_EXIT_USAGE, "'%s %s': %s", p->wdir_option, p->wdir, strerror(-err));
    else
        pm_refuse_part(part, PM_EXIT_USAGE, "the working directory of mpiexec, %s: %s; see -wdir",
                       getcwd(here, sizeof here) ? here : "?", strerror(-err));
}

/* What keeps the ranks of a program, or all of the part, from being started. */
static void note_errors(const struct pm_part *part, const struct pm_refusal *why,
                        const struct pm_program *p)
{
    for (int i = 0; i < part->size; i++) {
        struct pm_rank *r = &part->job->rank[part->rank[i]];
        if (r->program != p && why->what != PM_FEW_FILES && why->what != PM_NO_RESOURCE)
            continue;
        r->error = why->what == PM_FEW_FILES ? EMFILE : -why->err;
    }
}

static void on_refused(void *owner, int job, const struct pm_refusal *why)
{
    struct pm_part *part = part_of(owner, job);
    const struct pm_program *p = &part->job->program[part->program[why->executable]];

    note_errors(part, why, p);

    switch (why->what) {
    case PM_NO_PROGRAM:
        no_program(part, p, why->err);
        break;
    case PM_NO_DIRECTORY:
        no_directory(part, p, why->err);
        break;
    case PM_NO_ARCH:
        pm_refuse_part(part, PM_EXIT_USAGE, "'-arch %s': the host is of another architecture",
                       p->arch);
        break;
    case PM_OPEN_MPI:
        pm_refuse_part(
            part, PM_EXIT_CANNOT,
            "cannot start '%s': it is linked to Open MPI, whose processes would not find "
            "each other; compile it with Starling's mpicc, or start it with Open MPI's "
            "mpirun",
            p->argv[0]);
        break;
    case PM_FEW_FILES:
        pm_refuse_part(
            part, PM_EXIT_USAGE, "%d ranks need %llu open files, and the limit is %llu (ulimit -n)",
            part->size, (unsigned long long) why->files, (unsigned long long) why->limit);
        break;
    case PM_NO_RESOURCE:
        pm_refuse_part(part, PM_EXIT_USAGE, "cannot start the job: %s", strerror(-why->err));
        break;
    }
}

static const char *name_of(const struct pm_rank *r)
{
    static char text[PM_RANK_NAME];

    return pm_rank_name(r->job->number, r->number, text);
}

static void on_started(void *owner, int process, pid_t pid, const char *file)
{
    const struct pm_host *h = owner;
    struct pm_rank *r = rank_of(owner, process);

    r->pid = pid;
    r->started_ns = pm_clock_ns();
    if (h->run->spec->verbose && h->remote)
        pm_log("%s is process %d on %s: %s", name_of(r), (int) pid, h->name, file);
    else if (h->run->spec->verbose)
        pm_log("%s is process %d: %s", name_of(r), (int) pid, file);
    pm_rank_confirmed(r);
}

static void end_rank(struct pm_rank *r)
{
    r->state = PM_RANK_ENDED;
    r->ended_ns = pm_clock_ns();
    r->job->running--;
    r->job->run->running--;
    if (!r->job->running)
        pm_server_ended(r->job->server);
    pm_free_place(r->job, r->number);
    r->job->run->some_over = true;
    pm_ranks_ended(r->job->run);
}

static void on_not_started(void *owner, int process, int err, const char *what)
{
    struct pm_rank *r = rank_of(owner, process);

    r->error = err;
    pm_fail_job(r->job, &(struct pm_status) { PM_NOT_STARTED, r, err, what });
    end_rank(r);
}

static void on_output(void *owner, int process, int stream, const char *bytes, size_t len,
                      bool more)
{
    pm_output_put(rank_of(owner, process), stream, &(struct pm_text) { bytes, len, more, 0 });
}

static void on_output_ended(void *owner, int process, int stream)
{
    pm_output_ended(rank_of(owner, process), stream);
}

static void on_pmi(void *owner, int process, const char *bytes, size_t len)
{
    const struct pm_rank *r = rank_of(owner, process);

    pm_server_input(r->job->server, r->number, bytes, len);
}

static void on_pmi_ended(void *owner, int process) { pm_rank_closed_pmi(rank_of(owner, process)); }

static void on_pmi_stuck(void *owner, int process)
{
    pm_protocol_error(rank_of(owner, process), "does not read the replies to its PMI requests");
}

static void on_input_taken(void *owner, int process) { pm_input_taken(rank_of(owner, process)); }

static void on_input_ended(void *owner, int process) { pm_input_close(rank_of(owner, process)); }

static void on_exiting(void *owner, int process) { rank_of(owner, process)->exiting = true; }

static void on_exiting_found(void *owner) { pm_exiting_found(owner); }

static void on_exited(void *owner, int process, int wait_status, const char *last)
{
    struct pm_rank *r = rank_of(owner, process);

    r->exited = true;
    r->wait_status = wait_status;
    pm_rank_exited(r, wait_status, last);
    pm_server_gone(r->job->server, r->number);
    end_rank(r);
}

static void on_forgotten(void *owner, int job) { pm_part_forgotten(part_of(owner, job)); }

static void on_ended(void *owner)
{
    struct pm_host *h = owner;

    h->ended = true;
    for (struct pm_job *j = h->run->job; j; j = j->next)
        pm_check_refusals(j);
}

static int on_note(void *owner, int job, const struct pm_note *note)
{
    const struct pm_part *p = part_of(owner, job);

    return pm_server_from_hub(p->job->server, (int) (p - p->job->part), note);
}

/* The ranks of a node that is lost end, or do so soon. */
static void lose_rank(struct pm_rank *r)
{
    pm_input_close(r);
    if (r->state != PM_RANK_RUNS)
        return;
    for (int s = 0; s < PM_STREAMS; s++)
        pm_output_ended(r, s);
    pm_server_lost(r->job->server, r->number);
    pm_spawner_ended(r, false);
    end_rank(r);
}

/* Jobs that are being spawned there cannot be, and nothing else ends for that. */
static void abandon_on(const struct pm_host *h, const char *text)
{
    for (struct pm_job *j = h->run->job->next; j; j = j->next)
        if (pm_part_on(j, h))
            pm_abandon_job(j, text);
}

/* Nothing more comes from there. */
static void forget_all_on(struct pm_host *h)
{
    for (struct pm_job *j = h->run->job, *next; j; j = next) {
        next = j->next;
        struct pm_part *p = pm_part_on(j, h);
        if (p && j->leaves)
            pm_part_forgotten(p);
    }
}

static void on_lost(void *owner, const char *text)
{
    struct pm_host *h = owner;
    struct pm_run *r = h->run;
    const struct pm_status v = { PM_NODE_LOST, NULL, h->ready ? PM_EXIT_LOST : PM_EXIT_CANNOT,
                                 text };
    const struct pm_status *first = &r->outcome->status;
    bool added = !h->ready && !pm_part_on(r->job, h); /* for a job that is spawned */
    bool survives = r->spec->survive && r->job->started == r->job->size;

    h->lost = true;
    abandon_on(h, text);
    if (added) {
        forget_all_on(h);
        pm_ranks_ended(r);
        return;
    }
    if (survives)
        pm_record_failure(r, &v);
    else
        pm_host_failed(h, &v);
    if (survives || first->cause != PM_NODE_LOST || strcmp(first->why, text) != 0)
        pm_log("%s", text);
    for (int i = 0; i < h->processes; i++)
        if (h->process[i])
            lose_rank(h->process[i]);
    forget_all_on(h);
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
        .forgotten = on_forgotten,
        .ended = on_ended,
    },
    .lost = on_lost,
    .note = on_note,
    .signaled = pm_host_signaled,
};
