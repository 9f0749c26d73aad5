/* groups.c — groups as arguments and results of calls on communicators. */
#include <stdlib.h>
#include "mpi/comm/comm.h"

int mpir_group_copy_out(const struct adi3_group *g, MPI_Group *group)
{
    struct adi3_group *copy = adi3_group_copy(g);

    if (!copy)
        return adi3_no_memory("for a group of %d", g->size);
    *group = adi3_group_user_acquire(copy);
    adi3_group_release(copy);
    return MPI_SUCCESS;
}

static int group_check_within(const struct adi3_group *g, const struct adi3_comm *c,
                              const int *ranks)
{
    char title[ADI3_TITLE];
    int i = 0;

    while (i < g->size && ranks[i] != MPI_UNDEFINED)
        i++;
    if (i == g->size)
        return MPI_SUCCESS;
    return mpir_error(MPI_ERR_GROUP, "rank %d of the group, %s, is not in the %s of %d", i,
                      adi3_process_title(adi3_group_process(g, i), title),
                      c->remote ? "local group" : "communicator", c->size);
}

int mpir_ranks_of(const struct adi3_group *g, const struct adi3_comm *c, int **ranks)
{
    int *r = malloc((size_t) (g->size ? g->size : 1) * sizeof *r);

    for (int i = 0; r && i < g->size; i++)
        r[i] = i;
    int err = r ? adi3_group_translate(g, g->size, r, c->group, r)
                : adi3_no_memory("for a group of %d", g->size);
    if (!err)
        err = group_check_within(g, c, r);
    if (err)
        free(r);
    else
        *ranks = r;
    return err;
}

int mpir_groups_disjoint(struct adi3_group *ours, struct adi3_group *theirs)
{
    struct adi3_group *both = adi3_group_intersection(ours, theirs);
    char title[ADI3_TITLE];
    int err = MPI_SUCCESS;

    if (!both)
        return adi3_no_memory("for a group");
    if (both->size > 0)
        err = mpir_error(MPI_ERR_COMM, "%s is in both groups",
                         adi3_process_title(adi3_group_process(both, 0), title));
    adi3_group_release(both);
    return err;
}
