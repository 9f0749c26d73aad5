/* spawn_answer.c — what the spawner of a job is told: all its ranks run, or it could not be
 * started, and then those that were started are killed. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include "pm/mpiexec/job/job_impl.h"
#include "pm/server/pm_spawn.h"

/* The code of a process that was asked for. One that soft has left out has no rank. */
static int code_of(const struct pm_rank *r, bool runs)
{
    if (!r)
        return EAGAIN;
    if (runs)
        return 0;
    return r->error > 0 ? r->error : ECANCELED;
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
            code[(*count)++] = code_of(has_rank ? &j->rank[rank++] : NULL, runs);
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
    j->state = PM_JOB_STARTED;
    if (j->run->spec->verbose)
        pm_log("job %d runs: %d ranks, spawned by rank %d of job %d", j->number, j->size,
               j->spawner->number, j->spawner->job->number);
    answer_spawner(j, NULL);
}

void pm_abandon_job(struct pm_job *j, const char *why)
{
    struct pm_run *r = j->run;

    if (j->state != PM_JOB_STARTS)
        return;
    j->state = PM_JOB_ABANDONED;
    if (r->spec->verbose)
        pm_log("job %d is not started: %s", j->number, why);
    for (int i = 0; i < j->parts; i++)
        pm_host_signal(j->part[i].host, j->number, SIGKILL);
    for (int i = j->started; i < j->size; i++)
        pm_free_place(j, i);
    r->starting -= j->prepared && j->started < j->size;
    answer_spawner(j, why);
}

void pm_abandon_all(struct pm_run *r, const char *why)
{
    for (int i = 1; i <= r->spawns; i++)
        pm_abandon_job(pm_job_of(r, i), why);
}
