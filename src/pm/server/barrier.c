/* barrier.c — who has joined, who waits in the barrier, who will never come to it. */
#include <stdio.h>
#include <stdlib.h>
#include "pm_server_impl.h"

static struct pm_generation *find(const struct pm_server *s, int number)
{
    struct pm_generation *r = s->generations;

    while (r && r->number != number)
        r = r->next;
    return r;
}

static struct pm_generation *create(struct pm_server *s, int number)
{
    struct pm_generation *r = calloc(1, sizeof *r);

    if (!r)
        return NULL;
    *r = (struct pm_generation) { .next = s->generations, .number = number, .missing = s->gone };
    while (r->first_missing < s->size - 1 && !s->client[r->first_missing].gone)
        r->first_missing++;
    if (number)
        (void) snprintf(r->name, sizeof r->name, "%.200s_%d", s->base, number);
    else
        (void) snprintf(r->name, sizeof r->name, "%s", s->base);
    s->generations = r;
    return r;
}

struct pm_generation *pm_generation_join(struct pm_server *s, int rank)
{
    struct pm_client *c = &s->client[rank];
    struct pm_generation *r = find(s, c->joined);

    if (!r && !(r = create(s, c->joined)))
        return NULL;
    c->joined++;
    c->generation = r;
    c->state = PM_CLIENT_JOINED;
    return r;
}

/* A barrier that somebody waits in and somebody else cannot reach is a hang: say so instead. */
static void check(struct pm_server *s, const struct pm_generation *r)
{
    if (!r->waiting || !r->missing || s->client[r->first_missing].ignored)
        return;
    s->client[r->first_missing].ignored = true;
    s->events.broken(s->events.owner, r->first_missing,
                     s->client[r->first_missing].joined <= r->number
                         ? "never called MPI_Init, and other ranks wait for it"
                         : "left the job while other ranks wait for it");
}

static void miss(struct pm_server *s, struct pm_generation *r, int rank)
{
    if (!r->missing++)
        r->first_missing = rank;
    check(s, r);
}

static void forget(struct pm_server *s, struct pm_generation *r)
{
    struct pm_generation **at = &s->generations;

    while (*at != r)
        at = &(*at)->next;
    *at = r->next;
    for (int i = 0; i < s->size; i++)
        if (s->client[i].generation == r)
            s->client[i].generation = NULL;
    pm_kvs_free(&r->kvs);
    free(r);
}

void pm_generation_finalize(struct pm_server *s, int rank)
{
    struct pm_client *c = &s->client[rank];
    struct pm_generation *r = c->generation;

    c->state = PM_CLIENT_FINALIZED;
    if (++r->finished == s->size)
        forget(s, r);
    else
        miss(s, r, rank);
}

void pm_generation_barrier(struct pm_server *s, int rank)
{
    struct pm_client *c = &s->client[rank];
    struct pm_generation *r = c->generation;

    if (c->waiting) {
        pm_warn(s, rank, "entered a PMI barrier twice");
        pm_reply(s, rank, "cmd=barrier_out rc=1 msg=already_in_barrier");
        return;
    }
    c->waiting = true;
    if (++r->waiting < s->size) {
        check(s, r);
        return;
    }
    r->waiting = 0;
    for (int i = 0; i < s->size; i++)
        s->client[i].waiting = false;
    for (int i = 0; i < s->size; i++)
        pm_reply(s, i, "cmd=barrier_out");
}

void pm_generation_disconnect(struct pm_server *s, int rank)
{
    const struct pm_client *c = &s->client[rank];

    for (struct pm_generation *r = s->generations, *next; r; r = next) {
        next = r->next;
        bool joined = r->number < c->joined,
             member = c->generation == r && c->state == PM_CLIENT_JOINED;
        if (!joined || member)
            miss(s, r, rank);
    }
}
