/* tree_groups.c — groups that a process keeps when their communicators are let go and their members
 * have ended: they have the members that the model says. */
#include <stdlib.h>
#include "graph_use.h"
#include "mpitest.h"
#include "tree_groups.h"

enum { KEPT = 8 };

static struct {
    MPI_Group handle;
    struct graph_group members;
} kept[KEPT];
static int count;

/* A random number of this process alone, in which the others have no part. */
static int draw(int below)
{
    static unsigned state;

    if (!state)
        state = (unsigned) graph.random + (unsigned) graph.me + 1;
    return rand_r(&state) % below;
}

static void keep(const struct graph_object *o)
{
    int at = count < KEPT ? count++ : draw(KEPT), side = graph_side(&graph, o);

    if (kept[at].members.size)
        MPI_Group_free(&kept[at].handle);
    if (o->kind == GRAPH_INTER && draw(2)) {
        MPI_Comm_remote_group(o->comm, &kept[at].handle);
        side = !side;
    } else {
        MPI_Comm_group(o->comm, &kept[at].handle);
    }
    kept[at].members = o->group[side];
}

static void compare(MPI_Group a, const struct graph_group *of_a, MPI_Group b,
                    const struct graph_group *of_b)
{
    int from[GRAPH_MEMBERS], to[GRAPH_MEMBERS], size, rank, common = 0;
    MPI_Group both;

    MPI_Group_size(a, &size);
    CHECK_INT(size, of_a->size);
    MPI_Group_rank(a, &rank);
    CHECK_INT(rank, graph_rank(of_a, graph.me) < 0 ? MPI_UNDEFINED : graph_rank(of_a, graph.me));
    for (int i = 0; i < size; i++)
        from[i] = i;
    MPI_Group_translate_ranks(a, size, from, b, to);
    for (int i = 0; i < size; i++) {
        int must = graph_rank(of_b, of_a->member[i]);
        CHECK_INT(to[i], must < 0 ? MPI_UNDEFINED : must);
        common += must >= 0;
    }
    MPI_Group_intersection(a, b, &both);
    MPI_Group_size(both, &size);
    CHECK_INT(size, common);
    if (both != MPI_GROUP_EMPTY)
        MPI_Group_free(&both);
}

void tree_groups_check(void)
{
    const struct graph_object *o = graph.objects ? graph.object[draw(graph.objects)] : NULL;

    if (o && o->kind <= GRAPH_INTER && graph_side(&graph, o) >= 0)
        keep(o);
    if (!count)
        return;
    int a = draw(count), b = draw(count);
    compare(kept[a].handle, &kept[a].members, kept[b].handle, &kept[b].members);
}

void tree_groups_free(void)
{
    while (count)
        MPI_Group_free(&kept[--count].handle);
    memset(kept, 0, sizeof kept);
}
