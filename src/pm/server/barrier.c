/* barrier.c — generations: which ranks have joined, wait in the barrier, or cannot reach it.
 *
 * A barrier that one rank waits in and another rank cannot reach any more would hang. The job is
 * ended instead, with the name of the missing rank. In a job that survives deaths of ranks, such a
 * barrier ends when all wait in it that still can.
 *
 * A hub counts its ranks and the root counts hubs. The root hears of a hub when all ranks of that
 * wait, when none can wait any more, and when the first of them cannot. */
#include <stdlib.h>
#include "pm/server/pm_server_impl.h"

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
    c->spawns_before = c->spawns;
    c->generation = g;
    c->state = PM_CLIENT_JOINED;
    return g;
}

static void release_hubs(struct pm_server_job *j, struct pm_generation *g)
{
    const struct pm_note note = { .kind = PM_NOTE_RELEASE,
                                  .generation = g->number,
                                  .value = g->changed };

    g->changed = false;
    for (int i = 0; i < j->hubs; i++) {
        if (j->hub[i].waits_in != note.generation)
            continue;
        j->hub[i].waits_in = -1;
        j->events.down(j->events.owner, i, &note);
    }
}

void pm_generation_end_barrier(struct pm_server_job *j, struct pm_generation *g)
{
    g->waiting = 0;
    g->told = false;
    for (int i = 0; i < j->owns; i++) {
        struct pm_client *c = &j->client[j->own[i]];
        if (!c->waiting || c->generation != g)
            continue;
        c->waiting = false;
        c->dialect->barrier_out(j, j->own[i]);
    }
    if (j->hubs)
        release_hubs(j, g);
}

static int barrier_child_count(const struct pm_server_job *j)
{
    return j->hubs ? j->hubs : j->owns;
}

/* All wait: a hub tells the root, and waits for its answer. */
static void finish_barrier(struct pm_server_job *j, struct pm_generation *g)
{
    if (!j->events.up) {
        pm_generation_end_barrier(j, g);
        return;
    }
    pm_store_send_puts(j, g, PM_NOTE_BARRIER);
    g->told = true;
}

/* Ends a barrier in which all ranks wait, or reports a barrier with waiting and missing ranks. */
static void check_barrier(struct pm_server_job *j, struct pm_generation *g)
{
    if (!g->waiting || g->told)
        return;
    if (g->waiting + (j->survives ? g->missing : 0) == barrier_child_count(j)) {
        finish_barrier(j, g);
        return;
    }
    if (j->survives || g->first < 0 || j->client[g->first].ignored)
        return;
    j->client[g->first].ignored = true;
    pm_raise_event(j, PM_NOTE_BROKEN, g->first, 0,
                   g->joined ? "left the job while other ranks wait for it"
                             : "never called MPI_Init, and other ranks wait for it");
}

void pm_generation_wait(struct pm_server_job *j, struct pm_generation *g)
{
    g->waiting++;
    check_barrier(j, g);
}

void pm_generation_barrier(struct pm_server_job *j, int rank)
{
    j->client[rank].waiting = true;
    pm_generation_wait(j, j->client[rank].generation);
}

/* A rank that waits has died, or goes on without the reply. */
static void leave_barrier(struct pm_client *c)
{
    if (c->waiting)
        c->generation->waiting--;
    c->waiting = false;
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

static void set_first(struct pm_generation *g, int rank, bool joined)
{
    if (g->first >= 0)
        return;
    g->first = rank;
    g->joined = joined;
}

void pm_generation_miss(struct pm_server_job *j, struct pm_generation *g, int rank, bool joined)
{
    set_first(g, rank, joined);
    check_barrier(j, g);
}

/* A child cannot enter the barrier any more: the rank, or its hub. */
static void add_missing(struct pm_server_job *j, struct pm_generation *g, int rank, bool joined)
{
    bool all = ++g->missing == barrier_child_count(j);

    if (g->first < 0 && joined && !all)
        tell_root(j, PM_NOTE_MISSING, g->number, rank);
    set_first(g, rank, joined);
    pm_attributes_leave(j, g, rank);
    if (!all) {
        check_barrier(j, g);
        return;
    }
    tell_root(j, PM_NOTE_LEFT, g->number, rank);
    delete_generation(j, g);
}

void pm_generation_leave(struct pm_server_job *j, struct pm_generation *g, struct pm_hub *hub,
                         int rank)
{
    if (hub->waits_in == g->number) {
        hub->waits_in = -1;
        g->waiting--;
    }
    add_missing(j, g, rank, true);
}

void pm_generation_finalize(struct pm_server_job *j, int rank)
{
    struct pm_client *c = &j->client[rank];

    leave_barrier(c);
    c->state = PM_CLIENT_FINALIZED;
    add_missing(j, c->generation, rank, true);
}

/* From this generation on the rank is missing. */
static void note_gone(struct pm_server_job *j, int number, int rank)
{
    if (number < j->gone_from)
        tell_root(j, PM_NOTE_GONE, number, rank);
    if (number > j->gone_from || (number == j->gone_from && rank > j->gone_rank))
        return;
    j->gone_from = number;
    j->gone_rank = rank;
}

void pm_generation_miss_all(struct pm_server_job *j, int number, int rank)
{
    note_gone(j, number, rank);
    for (struct pm_generation *g = j->generations; g; g = g->next)
        if (g->number >= number)
            pm_generation_miss(j, g, rank, false);
}

void pm_generation_disconnect(struct pm_server_job *j, int rank)
{
    struct pm_client *c = &j->client[rank];

    leave_barrier(c);
    if (c->state == PM_CLIENT_JOINED)
        add_missing(j, c->generation, rank, true);
    note_gone(j, c->joined, rank);
    for (struct pm_generation *g = j->generations, *next; g; g = next) {
        next = g->next;
        if (g->number >= c->joined)
            add_missing(j, g, rank, false);
    }
    j->gone++;
}
