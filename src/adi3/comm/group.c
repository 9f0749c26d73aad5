/* group.c — groups: how they are made and freed.
 *
 * Most groups are consecutive processes, or every n-th process: these need no list of members. */
#include <stdlib.h>
#include <string.h>
#include "adi3/comm/comm_impl.h"

/* Counts the runs of members of other jobs: their jobs keep the numbers as long as the group. With
 * the last one a job may be forgotten. */
static void count_in_jobs(struct adi3_group *g, bool is)
{
    int first = 0, size = 0; /* the numbers of the job of this run */

    g->others = false;
    for (int i = 0; i < g->size; i++) {
        int number = adi3_group_process(g, i);
        if (number < adi3_job.size)
            size = 0;
        if (number < adi3_job.size || (number >= first && number - first < size))
            continue;
        const struct proc_job *job = proc_job_of_number(number);
        first = job->first;
        size = job->dev.size;
        proc_job_in_group(job, is);
        g->others = true;
    }
}

/* Most groups are of our job alone, and have no list. */
static bool may_have_others(const struct adi3_group *g)
{
    return g->member || g->first >= adi3_job.size
           || (g->size && adi3_group_process(g, g->size - 1) >= adi3_job.size);
}

static struct adi3_group *new_row(int size, int first, int stride)
{
    MPI_Group handle;
    struct adi3_group *g = adi3_new(&adi3_groups, &handle);

    assert(adi3_lock_held());
    if (!g)
        return NULL;
    *g = (struct adi3_group) {
        .handle = handle, .refs = 1, .size = size, .first = first, .stride = stride
    };
    g->rank = group_rank_in_row(g, adi3_job.rank);
    return g;
}

struct adi3_group *adi3_group_strided(int size, int first, int stride)
{
    struct adi3_group *g = new_row(size, first, stride);

    if (g && may_have_others(g))
        count_in_jobs(g, true);
    return g;
}

static int rank_in_list(int size, const int *member)
{
    for (int i = 0; i < size; i++)
        if (member[i] == adi3_job.rank)
            return i;
    return MPI_UNDEFINED;
}

struct adi3_group *adi3_group_make(int size, int *member)
{
    int first = size ? member[0] : 0, stride = size > 1 ? member[1] - first : 1, row = 1;

    while (row < size && member[row] - member[row - 1] == stride)
        row++;
    struct adi3_group *g = new_row(size, first, stride);
    if (g && row < size) {
        g->member = member;
        g->rank = rank_in_list(size, member);
    } else {
        free(member);
    }
    if (g && may_have_others(g))
        count_in_jobs(g, true);
    return g;
}

void adi3_group_release(struct adi3_group *g)
{
    assert(adi3_lock_held());
    if (!g || g == &adi3_group_empty)
        return;
    assert(g->refs > 0);
    if (--g->refs)
        return;
    assert(g->handles == 0);
    if (g->others)
        count_in_jobs(g, false);
    free(g->member);
    free(g->proc);
    free(g->at);
    adi3_free(&adi3_groups, g);
}

struct adi3_group *adi3_group_copy(const struct adi3_group *g)
{
    if (!g->member)
        return adi3_group_strided(g->size, g->first, g->stride);
    int *member = malloc((size_t) g->size * sizeof *member);

    if (!member)
        return NULL;
    memcpy(member, g->member, (size_t) g->size * sizeof *member);
    return adi3_group_make(g->size, member);
}

MPI_Group adi3_group_user_acquire(struct adi3_group *g)
{
    assert(adi3_lock_held());
    if (g->size == 0)
        return MPI_GROUP_EMPTY;
    g->refs++;
    g->handles++;
    adi3_set_creator(g);
    return g->handle;
}

void adi3_group_user_release(struct adi3_group *g)
{
    assert(adi3_lock_held());
    if (g == &adi3_group_empty)
        return;
    assert(g->handles > 0);
    g->handles--;
    adi3_group_release(g);
}

struct adi3_proc **group_procs(struct adi3_group *g)
{
    if (!g->proc)
        g->proc = malloc((size_t) (g->size ? g->size : 1) * sizeof *g->proc);
    else
        return g->proc;
    for (int i = 0; g->proc && i < g->size; i++)
        g->proc[i] = proc_at(adi3_group_process(g, i));
    return g->proc;
}
