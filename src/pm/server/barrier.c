/* barrier.c — generations: which ranks have joined, wait in the barrier, or cannot reach it.
 *
 * A barrier that one rank waits in and another rank cannot reach any more would hang. The job is
 * ended instead, with the name of the missing rank. In a job that survives deaths of ranks, such a
 * barrier ends when all wait in it that still can. */
#include <stdio.h>
#include <stdlib.h>
#include "pm_server_impl.h"

static struct pm_generation *find_generation(const struct pm_server_job *j, int number)
{
    struct pm_generation *g = j->generations;

    while (g && g->number != number)
        g = g->next;
    return g;
}

static struct pm_generation *create_generation(struct pm_server_job *j, int number)
{
    struct pm_generation *g = calloc(1, sizeof *g);

    if (!g)
        return NULL;
    *g = (struct pm_generation) { .next = j->generations, .number = number, .missing = j->gone };
    while (g->first_missing < j->size - 1 && !j->client[g->first_missing].gone)
        g->first_missing++;
    if (number)
        (void) snprintf(g->name, sizeof g->name, "%.200s_%d", j->base, number);
    else
        (void) snprintf(g->name, sizeof g->name, "%s", j->base);
    j->generations = g;
    return g;
}

struct pm_generation *pm_generation_join(struct pm_server_job *j, int rank)
{
    struct pm_client *c = &j->client[rank];
    struct pm_generation *g = find_generation(j, c->joined);

    if (!g && !(g = create_generation(j, c->joined)))
        return NULL;
    c->joined++;
    c->generation = g;
    c->state = PM_CLIENT_JOINED;
    return g;
}

static void end_barrier(struct pm_server_job *j, struct pm_generation *g)
{
    g->waiting = 0;
    for (int i = 0; i < j->size; i++) {
        if (!j->client[i].waiting || j->client[i].generation != g)
            continue;
        j->client[i].waiting = false;
        j->client[i].dialect->barrier_out(j, i);
    }
}

/* A rank that waits has died, or goes on without the reply. */
static void leave_barrier(struct pm_client *c)
{
    if (c->waiting)
        c->generation->waiting--;
    c->waiting = false;
}

/* Ends a barrier that has both waiting and missing ranks, or reports it. */
static void check_barrier(struct pm_server_job *j, struct pm_generation *g)
{
    if (!g->waiting || !g->missing)
        return;
    if (j->survives && g->waiting + g->missing == j->size)
        end_barrier(j, g);
    if (j->survives || j->client[g->first_missing].ignored)
        return;
    j->client[g->first_missing].ignored = true;
    j->events.broken(j->events.owner, g->first_missing,
                     j->client[g->first_missing].joined <= g->number
                         ? "never called MPI_Init, and other ranks wait for it"
                         : "left the job while other ranks wait for it");
}

static void add_missing(struct pm_server_job *j, struct pm_generation *g, int rank)
{
    if (!g->missing++)
        g->first_missing = rank;
    pm_attributes_leave(j, g, rank);
    check_barrier(j, g);
}

void pm_generation_free(struct pm_server_job *j, struct pm_generation *g)
{
    pm_kvs_free(&g->kvs);
    pm_attributes_free(g);
    pm_memory_free(j, g);
    free(g);
}

static void delete_generation(struct pm_server_job *j, struct pm_generation *g)
{
    struct pm_generation **at = &j->generations;

    while (*at != g)
        at = &(*at)->next;
    *at = g->next;
    for (int i = 0; i < j->size; i++)
        if (j->client[i].generation == g)
            j->client[i].generation = NULL;
    pm_generation_free(j, g);
}

void pm_generation_finalize(struct pm_server_job *j, int rank)
{
    struct pm_client *c = &j->client[rank];
    struct pm_generation *g = c->generation;

    leave_barrier(c);
    c->state = PM_CLIENT_FINALIZED;
    if (++g->finished == j->size)
        delete_generation(j, g);
    else
        add_missing(j, g, rank);
}

void pm_generation_barrier(struct pm_server_job *j, int rank)
{
    struct pm_client *c = &j->client[rank];
    struct pm_generation *g = c->generation;

    c->waiting = true;
    if (++g->waiting < j->size) {
        check_barrier(j, g);
        return;
    }
    end_barrier(j, g);
}

void pm_generation_disconnect(struct pm_server_job *j, int rank)
{
    struct pm_client *c = &j->client[rank];

    leave_barrier(c);
    for (struct pm_generation *g = j->generations, *next; g; g = next) {
        next = g->next;
        bool joined = g->number < c->joined,
             member = c->generation == g && c->state == PM_CLIENT_JOINED;
        if (!joined || member)
            add_missing(j, g, rank);
    }
}
