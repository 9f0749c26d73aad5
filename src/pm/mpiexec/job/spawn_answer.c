/* spawn_answer.c — what the spawner of a job is told: all its ranks run, or it could not be
 * started, and then those that were started are killed.
 *
 * A client that goes on meanwhile (pmi_spawn.h) also hears when the job fails before it has
 * connected to it: that is an error of the spawn, and no failure of a job. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include "pm/mpiexec/job/job_impl.h"
#include "pm/server/pm_spawn.h"

/* The code of a process that was asked for. One that soft has left out has no rank. EINVAL is for a
 * wrong request alone. */
static int code_of(const struct pm_job *j, const struct pm_rank *r, bool runs)
{
    if (!r && j->error)
        return j->error;
    if (!r)
        return EAGAIN;
    if (runs)
        return 0;
    return r->error > 0 && r->error != EINVAL ? r->error : ECANCELED;
}

/* The codes of all. NULL: no memory. */
static int *error_codes(const struct pm_job *j, bool runs, size_t *count)
{
    int rank = 0, *code, n = 0;

    for (size_t i = 0; i < j->programs; i++)
        n += j->program[i].maxprocs;
    code = malloc((size_t) n * sizeof *code);
    *count = 0;
    for (size_t i = 0; code && i < j->programs; i++) {
        const struct pm_program *p = &j->program[i];
        for (int k = 0; k < p->maxprocs; k++) {
            bool has_rank = k < p->count && j->rank;
            code[(*count)++] = code_of(j, has_rank ? &j->rank[rank++] : NULL, runs);
        }
    }
    return code;
}

static void answer_spawner(const struct pm_job *j, const char *why)
{
    size_t count;
    int *code = error_codes(j, !why, &count);

    pm_server_spawned(
        j->spawner->job->server, j->spawner->number, j->request,
        &(struct pm_spawn_result) {
            .why = why, .jobid = j->name, .error = code, .errors = code ? count : 0 });
    free(code);
}

void pm_rank_confirmed(struct pm_rank *r)
{
    struct pm_job *j = r->job;

    if (++j->confirmed < j->size || j->state != PM_JOB_STARTS)
        return;
    j->state = j->later && j->spawner->state == PM_RANK_RUNS ? PM_JOB_PROBATION : PM_JOB_STARTED;
    if (j->run->spec->verbose)
        pm_log("job %d runs: %d ranks, spawned by rank %d of job %d", j->number, j->size,
               j->spawner->number, j->spawner->job->number);
    answer_spawner(j, NULL);
}

bool pm_is_being_spawned(const struct pm_job *j)
{
    return j->state == PM_JOB_STARTS || j->state == PM_JOB_PROBATION;
}

void pm_abandon_job(struct pm_job *j, const char *why)
{
    const struct pm_rank *s = j->spawner;
    bool starts = j->state == PM_JOB_STARTS;

    if (!pm_is_being_spawned(j))
        return;
    j->state = PM_JOB_ABANDONED;
    if (j->run->spec->verbose)
        pm_log("job %d is %s: %s", j->number, starts ? "not started" : "not connected", why);
    for (int i = 0; i < j->parts; i++)
        pm_host_signal(j->part[i].host, j->number, SIGKILL);
    pm_stop_starting(j);
    j->run->some_over = true;
    if (starts)
        answer_spawner(j, why);
    else
        pm_server_spawn_lost(s->job->server, s->number, j->request, why);
}

void pm_abandon_all(struct pm_run *r, const char *why)
{
    for (struct pm_job *j = r->job->next; j; j = j->next)
        if (j->state == PM_JOB_STARTS)
            pm_abandon_job(j, why);
}

void pm_spawner_ended(const struct pm_rank *rank, bool finalized)
{
    const struct pm_run *r = rank->job->run;

    for (struct pm_job *j = r->job->next; j && !r->ends; j = j->next) {
        if (j->spawner != rank)
            continue;
        if (!finalized)
            pm_abandon_job(j, "its spawner has ended");
        else if (j->state == PM_JOB_PROBATION)
            j->state = PM_JOB_STARTED;
    }
}

void pm_take_verdict(struct pm_rank *spawner, int request, bool kill)
{
    for (struct pm_job *j = spawner->job->run->job->next; j; j = j->next) {
        if (j->spawner != spawner || j->request != request)
            continue;
        if (kill)
            pm_abandon_job(j, "its spawner does not want it any more");
        else if (j->state == PM_JOB_PROBATION)
            j->state = PM_JOB_STARTED;
        return;
    }
}
