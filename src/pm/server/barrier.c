/* barrier.c — generations: which ranks have joined, wait in the barrier, or cannot reach it.
 *
 * A barrier that one rank waits in and another rank cannot reach any more would hang. The job is
 * ended instead, with the name of the missing rank.
 *
 * A hub counts its ranks and the root counts hubs. The root hears of a hub when all ranks of that
 * wait, have finalized, or when the first of them is missing. */
#include <stdio.h>
#include <stdlib.h>
#include "pm_server_impl.h"

struct pm_generation *pm_generation_find(const struct pm_server_job *j, int number)
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
    *g = (struct pm_generation) { .next = j->generations,
                                  .number = number,
                                  .missing = number >= j->gone_from ? j->gone_rank : -1 };
    if (number)
        (void) snprintf(g->name, sizeof g->name, "%.200s_%d", j->base, number);
    else
        (void) snprintf(g->name, sizeof g->name, "%s", j->base);
    j->generations = g;
    return g;
}

struct pm_generation *pm_generation_get(struct pm_server_job *j, int number)
{
    struct pm_generation *g = pm_generation_find(j, number);

    return g ? g : create_generation(j, number);
}

static void tell_root(struct pm_server_job *j, enum pm_note_kind kind, int generation, int rank)
{
    if (j->events.up)
        j->events.up(j->events.owner,
                     &(struct pm_note) { .kind = kind, .generation = generation, .rank = rank });
}

struct pm_generation *pm_generation_join(struct pm_server_job *j, int rank)
{
    struct pm_client *c = &j->client[rank];
    struct pm_generation *g = pm_generation_get(j, c->joined);

    if (!g)
        return NULL;
    if (!j->told_joined)
        tell_root(j, PM_NOTE_JOINED, 0, rank);
    j->told_joined = true;
    c->joined++;
    c->generation = g;
    c->state = PM_CLIENT_JOINED;
    return g;
}

/* Reports a barrier that has both waiting and missing ranks. */
static void check_barrier(struct pm_server_job *j, const struct pm_generation *g)
{
    if (!g->waiting || g->missing < 0 || j->client[g->missing].ignored)
        return;
    j->client[g->missing].ignored = true;
    pm_report(j, PM_NOTE_BROKEN, g->missing, 0,
              g->joined ? "left the job while other ranks wait for it"
                        : "never called MPI_Init, and other ranks wait for it");
}

static void add_missing(struct pm_server_job *j, struct pm_generation *g, int rank, bool joined)
{
    if (g->missing < 0) {
        g->missing = rank;
        g->joined = joined;
    }
    pm_attributes_leave(j, g, rank);
    check_barrier(j, g);
}

void pm_generation_miss(struct pm_server_job *j, struct pm_generation *g, int rank)
{
    if (g->missing < 0)
        tell_root(j, PM_NOTE_MISSING, g->number, rank);
    add_missing(j, g, rank, true);
}

void pm_generation_free(struct pm_server_job *j, struct pm_generation *g)
{
    pm_store_free(g);
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
    for (int i = 0; i < j->owns; i++)
        if (j->client[j->own[i]].generation == g)
            j->client[j->own[i]].generation = NULL;
    pm_generation_free(j, g);
}

static int children(const struct pm_server_job *j) { return j->hubs ? j->hubs : j->owns; }

void pm_generation_leave(struct pm_server_job *j, struct pm_generation *g, int rank)
{
    if (++g->finished < children(j)) {
        pm_generation_miss(j, g, rank);
        return;
    }
    tell_root(j, PM_NOTE_LEFT, g->number, rank);
    delete_generation(j, g);
}

void pm_generation_finalize(struct pm_server_job *j, int rank)
{
    j->client[rank].state = PM_CLIENT_FINALIZED;
    pm_generation_leave(j, j->client[rank].generation, rank);
}

static void release_hubs(struct pm_server_job *j, struct pm_generation *g)
{
    const struct pm_note note = { .kind = PM_NOTE_RELEASE,
                                  .generation = g->number,
                                  .value = g->changed };

    g->changed = false;
    for (int i = 0; i < j->hubs; i++)
        j->hub[i].waiting = false;
    for (int i = 0; i < j->hubs; i++)
        j->events.down(j->events.owner, i, &note);
}

void pm_generation_release(struct pm_server_job *j, struct pm_generation *g)
{
    g->waiting = 0;
    for (int i = 0; i < j->owns; i++)
        j->client[j->own[i]].waiting = false;
    for (int i = 0; i < j->owns; i++)
        j->client[j->own[i]].dialect->barrier_out(j, j->own[i]);
    if (j->hubs)
        release_hubs(j, g);
}

void pm_generation_wait(struct pm_server_job *j, struct pm_generation *g)
{
    if (++g->waiting < children(j))
        check_barrier(j, g);
    else if (j->events.up)
        pm_store_send_puts(j, g, PM_NOTE_BARRIER);
    else
        pm_generation_release(j, g);
}

void pm_generation_barrier(struct pm_server_job *j, int rank)
{
    j->client[rank].waiting = true;
    pm_generation_wait(j, j->client[rank].generation);
}

void pm_generation_end(struct pm_server_job *j, int number, int rank)
{
    if (number < j->gone_from)
        tell_root(j, PM_NOTE_GONE, number, rank);
    if (number < j->gone_from || (number == j->gone_from && rank < j->gone_rank)) {
        j->gone_from = number;
        j->gone_rank = rank;
    }
    for (struct pm_generation *g = j->generations, *next; g; g = next) {
        next = g->next;
        if (g->number >= number)
            add_missing(j, g, rank, false);
    }
}

void pm_generation_disconnect(struct pm_server_job *j, int rank)
{
    const struct pm_client *c = &j->client[rank];

    if (c->state == PM_CLIENT_JOINED)
        pm_generation_miss(j, c->generation, rank);
    pm_generation_end(j, c->joined, rank);
}
