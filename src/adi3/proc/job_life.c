/* job_life.c — how long another job is known here: while a connect with it is under way, or a
 * communicator spans one of its processes and this one; its numbers, while a group has them. */
#include "adi3/proc/proc_impl.h"

/* Only this file changes what counts for the life of a job. */
static struct proc_job *job_changing(const struct proc_job *job)
{
    return (struct proc_job *) (uintptr_t) job;
}

/* Forgets what may be forgotten. */
static void job_review(struct proc_job *job)
{
    if (job->connecting || job->leaving || job->linked)
        return;
    if (!job->gone) {
        for (int i = 0; i < job->dev.size; i++)
            if (proc_at(job->first + i)->link)
                proc_forget(proc_at(job->first + i));
        devices_forget_job(job);
        neighbor_leave(job);
        if (job->free_business_cards)
            job->free_business_cards(job);
        job->business_cards = NULL;
        job->gone = true;
    }
    if (!job->groups)
        jobs_forget(job);
}

/* Changes a count of a job by one. */
static void job_count(const struct proc_job *job, int *count, bool is)
{
    assert(adi3_lock_held() && job != &proc_own_job && (is || *count > 0));
    *count += is ? 1 : -1;
    if (!is)
        job_review(job_changing(job));
}

void proc_job_connects(const struct proc_job *job, bool is)
{
    job_count(job, &job_changing(job)->connecting, is);
}

void proc_job_leaves(const struct proc_job *job, bool is)
{
    job_count(job, &job_changing(job)->leaving, is);
}

void proc_job_in_group(const struct proc_job *job, bool is)
{
    job_count(job, &job_changing(job)->groups, is);
}

void proc_link_add(struct adi3_proc *p)
{
    struct proc_job *job = job_changing(proc_job_of(p));

    assert(adi3_lock_held() && job->links);
    job->linked += job->links[p->peer.rank]++ == 0;
}

void proc_link_drop(struct adi3_proc *p)
{
    struct proc_job *job = job_changing(proc_job_of(p));

    assert(adi3_lock_held() && job->links[p->peer.rank] > 0);
    job->linked -= --job->links[p->peer.rank] == 0;
    job_review(job);
}

int proc_links(const struct adi3_proc *p) { return proc_job_of(p)->links[p->peer.rank]; }

bool proc_may_send(const struct adi3_proc *p)
{
    const struct proc_job *job = proc_job_of(p);

    return job == &proc_own_job || job->connecting || job->leaving || job->links[p->peer.rank];
}
