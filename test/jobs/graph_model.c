/* graph_model.c — the model of graph.c: which objects there are, and which processes they link.
 *
 * Every process has the whole model, and draws the same random numbers. */
#include <stdlib.h>
#include <string.h>
#include "graph_model.h"
#include "mpitest.h"

int graph_add_job(struct graph *g, int size)
{
    CHECK(g->jobs < GRAPH_JOBS && size > 0 && g->processes + size <= GRAPH_PROCESSES);
    g->first[g->jobs] = g->processes;
    for (int i = 0; i < size; i++)
        g->job[g->processes++] = g->jobs;
    g->first[g->jobs + 1] = g->processes;
    return g->jobs++;
}

void graph_begin(struct graph *g, uint64_t seed, int rank)
{
    char *sizes = getenv("JOBS_SIZES");

    *g = (struct graph) { .random = seed * 2 + 1 };
    CHECK(sizes);
    for (char *at = sizes; *at; at += *at == ',')
        graph_add_job(g, (int) strtol(at, &at, 10));
    g->me = g->first[atoi(getenv("JOBS_SIDE"))] + rank;
}

int graph_draw(struct graph *g, int below)
{
    g->random = g->random * 6364136223846793005u + 1442695040888963407u;
    return (int) ((g->random >> 33) % (unsigned) below);
}

void graph_job(const struct graph *g, int job, struct graph_group *members)
{
    members->size = 0;
    for (int i = g->first[job]; i < g->first[job + 1]; i++)
        members->member[members->size++] = (int16_t) i;
}

int graph_rank(const struct graph_group *g, int process)
{
    for (int i = 0; i < g->size; i++)
        if (g->member[i] == process)
            return i;
    return -1;
}

bool graph_disjoint(const struct graph_group *a, const struct graph_group *b)
{
    int i = 0;

    while (i < a->size && graph_rank(b, a->member[i]) < 0)
        i++;
    return i == a->size;
}

int graph_side(const struct graph *g, const struct graph_object *o)
{
    return graph_rank(&o->group[0], g->me) >= 0 ? 0 : graph_rank(&o->group[1], g->me) >= 0 ? 1 : -1;
}

struct graph_object *graph_add(struct graph *g, enum graph_kind kind, const struct graph_group *a,
                               const struct graph_group *b)
{
    struct graph_object *o = mpitest_memory(sizeof *o);

    CHECK(g->objects < GRAPH_OBJECTS && a->size);
    *o = (struct graph_object) { .kind = kind,
                                 .group[0] = *a,
                                 .comm = MPI_COMM_NULL,
                                 .win = MPI_WIN_NULL,
                                 .file = MPI_FILE_NULL };
    if (b)
        o->group[1] = *b;
    return g->object[g->objects++] = o;
}

/* Sets the marks of the members. */
static void mark_members(const struct graph_object *o, bool *mark)
{
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < o->group[side].size; i++)
            mark[o->group[side].member[i]] = true;
}

void graph_remove(struct graph *g, int at, bool freed)
{
    struct graph_object *o = g->object[at];

    if (freed && graph_side(g, o) >= 0)
        mark_members(o, g->freed);
    free(o->memory);
    free(o);
    g->object[at] = g->object[--g->objects];
}

struct graph_links graph_links(const struct graph *g)
{
    struct graph_links links = { 0, 0 };
    bool linked[GRAPH_PROCESSES];

    memcpy(linked, g->freed, sizeof linked);
    for (int i = 0; i < g->objects; i++)
        if (graph_side(g, g->object[i]) >= 0)
            mark_members(g->object[i], linked);
    for (int job = 0; job < g->jobs; job++) {
        int before = links.processes;
        for (int i = g->first[job]; i < g->first[job + 1] && job != g->job[g->me]; i++)
            links.processes += linked[i];
        links.jobs += links.processes > before;
    }
    return links;
}
