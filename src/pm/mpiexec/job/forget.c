/* forget.c — a spawned job that has ended leaves nothing in mpiexec and on its nodes, so that a run
 * may spawn as often as it wants.
 *
 * Its record stays where the last lines are about it: the job whose failure is that of the run, and
 * all jobs with -json or -print-all-exitcodes. */
#include <stdlib.h>
#include "pm/mpiexec/job/job_impl.h"

static bool is_needed(const struct pm_job *j)
{
    const struct pm_run *r = j->run;
    const struct pm_rank *failed = r->outcome->status.rank;

    for (const struct pm_job *of = r->job; of; of = of->next)
        if (of->spawner && of->spawner->job == j && pm_is_being_spawned(of))
            return true;
    return (failed && failed->job == j) || pm_output_waits(j);
}

static bool is_over(const struct pm_job *j)
{
    return j->number && !j->leaves && !j->running && j->state != PM_JOB_STARTS
           && (j->stopped || j->started == j->size);
}

static void free_part(struct pm_part *p)
{
    free(p->rank);
    free(p->refusal);
    free(p->executable);
    free(p->program);
    free(p->cpus);
}

/* What is of no use when its processes have ended. */
static void release_job(struct pm_job *j)
{
    pm_timer_clear(&j->end_timer);
    pm_timer_clear(&j->refusal_timer);
    if (j->server)
        pm_server_remove_job(j->run->outcome->server, j->server);
    j->server = NULL;
    j->run->ranks -= j->size;
    for (int i = 0; i < j->parts; i++)
        j->part[i].host->size -= j->part[i].size;
    for (size_t i = 0; j->executable && i < j->programs; i++)
        pm_environ_free(j, j->executable[i].environ);
    free(j->executable);
    j->executable = NULL;
    for (struct pm_job *of = j->run->job; of; of = of->next)
        if (of->spawner && of->spawner->job == j)
            of->spawner = NULL;
}

static void remove_job(struct pm_job *j)
{
    struct pm_run *r = j->run;
    struct pm_job *before = r->job;

    while (before->next != j)
        before = before->next;
    before->next = j->next;
    if (r->last == j)
        r->last = before;
    for (int i = 0; i < j->parts; i++)
        free_part(&j->part[i]);
    for (size_t i = 0; i < j->programs; i++) {
        const struct pm_env_rules *e = &j->program[i].env;
        for (size_t k = 0; k < e->assigned; k++)
            free(e->assign[k].text);
        free(e->assign);
    }
    pm_free_kept(&j->kept);
    free((void *) (uintptr_t) j->program);
    free((void *) (uintptr_t) j->place);
    free(j->part);
    free(j->rank);
    free(j->failure);
    free(j);
}

static void check_left(struct pm_job *j)
{
    const struct pm_spec *s = j->run->spec;

    for (int i = 0; i < j->parts; i++)
        if (!j->part[i].forgotten)
            return;
    for (int i = 0; i < j->size && j->rank; i++)
        pm_host_remove_process(&j->rank[i]);
    release_job(j);
    if (s->json || s->exit_codes)
        return;
    j->run->well += j->state == PM_JOB_STARTED && !j->fails;
    remove_job(j);
}

void pm_part_forgotten(struct pm_part *p)
{
    p->forgotten = true;
    if (p->job->leaves)
        check_left(p->job);
}

static void leave_job(struct pm_job *j)
{
    j->leaves = true;
    for (int i = 0; i < j->parts; i++) {
        if (j->part[i].host->lost || j->part[i].host->ended)
            j->part[i].forgotten = true;
        else
            pm_host_forget(j->part[i].host, j->number);
    }
    check_left(j);
}

void pm_forget_jobs(struct pm_run *r)
{
    if (!r->some_over || r->ends)
        return;
    r->some_over = false;
    for (struct pm_job *j = r->job, *next; j; j = next) {
        next = j->next;
        if (is_over(j) && is_needed(j))
            r->some_over = true;
        else if (is_over(j))
            leave_job(j);
    }
}
