/* names.c — members of groups by names that all processes of all jobs understand: job and rank. The
 * numbers of processes are this process's own. */
#include <stdlib.h>
#include "adi3/comm/comm_impl.h"

struct adi3_process_name adi3_group_name(const struct adi3_group *g, int i)
{
    int number = adi3_group_process(g, i);
    const struct proc_job *job = proc_job_of_number(number);

    return (struct adi3_process_name) { job->dev.id, number - job->first, 0 };
}

int adi3_group_named(int n, const struct adi3_process_name *names, struct adi3_group **made)
{
    int *member = malloc((size_t) (n ? n : 1) * sizeof *member);
    const struct proc_job *job = NULL;

    assert(adi3_lock_held());
    for (int i = 0; member && i < n; i++) {
        if (!job || job->dev.id != names[i].job)
            job = proc_job_find(names[i].job);
        if (!job || job->gone || names[i].rank < 0 || names[i].rank >= job->dev.size) {
            free(member);
            return adi3_error(MPI_ERR_OTHER, "this process knows no rank %d of job %016llx",
                              (int) names[i].rank, (unsigned long long) names[i].job);
        }
        member[i] = job->first + names[i].rank;
    }
    *made = member ? adi3_group_make(n, member) : NULL;
    return *made ? MPI_SUCCESS : adi3_no_memory("for a group of %d processes", n);
}

bool adi3_process_before(const struct adi3_process_name *a, const struct adi3_process_name *b)
{
    return a->job != b->job ? a->job < b->job : a->rank < b->rank;
}

/* FNV-1a, over numbers instead of bytes. */
uint32_t adi3_group_digest(const struct adi3_group *g)
{
    uint32_t digest = 2166136261u ^ (uint32_t) g->size;

    for (int i = 0; i < g->size; i++) {
        const struct adi3_process_name name = adi3_group_name(g, i);
        digest = (digest ^ (uint32_t) name.job ^ (uint32_t) name.rank) * 16777619u;
    }
    return digest;
}
