/* barrier.c — who has joined, who waits in the barrier, who will never come to it. */
#include <stdio.h>
#include <stdlib.h>
#include "pm_server_impl.h"

static struct pm_round *find(const struct pm_server *s, int number)
{
    struct pm_round *r = s->rounds;

    while (r && r->number != number)
        r = r->next;
    return r;
}

static struct pm_round *create(struct pm_server *s, int number)
{
    struct pm_round *r = calloc(1, sizeof *r);

    if (!r)
        return NULL;
    *r = (struct pm_round) { .next = s->rounds, .number = number, .missing = s->gone };
    while (r->culprit < s->size - 1 && !s->client[r->culprit].gone)
        r->culprit++;
    if (number)
        (void) snprintf(r->name, sizeof r->name, "%.200s_%d", s->base, number);
    else
        (void) snprintf(r->name, sizeof r->name, "%s", s->base);
    s->rounds = r;
    return r;
}

struct pm_round *pm_round_join(struct pm_server *s, int rank)
{
    struct pm_client *c = &s->client[rank];
    struct pm_round *r = find(s, c->rounds);

    if (!r && !(r = create(s, c->rounds)))
        return NULL;
    c->rounds++;
    c->round = r;
    c->standing = PM_MEMBER;
    return r;
}

/* A barrier that somebody waits in and somebody else cannot reach is a hang: say so instead. */
static void check(struct pm_server *s, const struct pm_round *r)
{
    if (!r->waiting || !r->missing || s->client[r->culprit].ignored)
        return;
    s->client[r->culprit].ignored = true;
    s->events.broken(s->events.owner, r->culprit,
                     s->client[r->culprit].rounds <= r->number
                         ? "never called MPI_Init, and other ranks wait for it"
                         : "left the job while other ranks wait for it");
}

static void miss(struct pm_server *s, struct pm_round *r, int rank)
{
    if (!r->missing++)
        r->culprit = rank;
    check(s, r);
}

static void forget(struct pm_server *s, struct pm_round *r)
{
    struct pm_round **at = &s->rounds;

    while (*at != r)
        at = &(*at)->next;
    *at = r->next;
    for (int i = 0; i < s->size; i++)
        if (s->client[i].round == r)
            s->client[i].round = NULL;
    pm_kvs_free(&r->kvs);
    free(r);
}

void pm_round_finish(struct pm_server *s, int rank)
{
    struct pm_client *c = &s->client[rank];
    struct pm_round *r = c->round;

    c->standing = PM_FINISHED;
    if (++r->finished == s->size)
        forget(s, r);
    else
        miss(s, r, rank);
}

void pm_round_barrier(struct pm_server *s, int rank)
{
    struct pm_client *c = &s->client[rank];
    struct pm_round *r = c->round;

    if (c->waiting) {
        pm_complain(s, rank, "entered a PMI barrier twice");
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

void pm_round_gone(struct pm_server *s, int rank)
{
    const struct pm_client *c = &s->client[rank];

    for (struct pm_round *r = s->rounds, *next; r; r = next) {
        next = r->next;
        bool joined = r->number < c->rounds, member = c->round == r && c->standing == PM_MEMBER;
        if (!joined || member)
            miss(s, r, rank);
    }
}
