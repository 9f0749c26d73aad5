/* job_life.c — how long another job is known here: while a connect with it is under way, or a
 * communicator spans one of its processes and this one; its numbers, while a group has them. */
#include "adi3/proc/proc_impl.h"

static struct proc_job *job_of(const struct adi3_proc *p)
{
    return (struct proc_job *) (uintptr_t) proc_job_of(p);
}

/* Forgets what may be forgotten. */
static void job_review(struct proc_job *job)
{
    if (job->visits || job->linked)
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

void proc_job_visit(struct proc_job *job)
{
    assert(adi3_lock_held() && job != &proc_own_job);
    job->visits++;
}

void proc_job_leave(struct proc_job *job)
{
    assert(adi3_lock_held() && job->visits > 0);
    job->visits--;
    job_review(job);
}

void proc_link_add(struct adi3_proc *p)
{
    struct proc_job *job = job_of(p);

    assert(adi3_lock_held() && job->links);
    job->linked += job->links[p->peer.rank]++ == 0;
}

void proc_link_drop(struct adi3_proc *p)
{
    struct proc_job *job = job_of(p);

    assert(adi3_lock_held() && job->links[p->peer.rank] > 0);
    job->linked -= --job->links[p->peer.rank] == 0;
    job_review(job);
}

int proc_links(const struct adi3_proc *p) { return proc_job_of(p)->links[p->peer.rank]; }

bool proc_may_send(const struct adi3_proc *p)
{
    const struct proc_job *job = proc_job_of(p);

    return job == &proc_own_job || job->visits || job->links[p->peer.rank];
}

void proc_job_in_group(struct proc_job *job, bool is)
{
    assert(adi3_lock_held() && job != &proc_own_job && (is || job->groups > 0));
    job->groups += is ? 1 : -1;
    if (!is)
        job_review(job);
}
