/* place.c — the host of each rank.
 *
 * Hosts are filled in rounds: in each round a host gets as many ranks as it has slots, all at once
 * or one in each turn. The ranks of earlier programs count, so that a program goes on where the one
 * before it ended. */
#include <assert.h>
#include <limits.h>
#include <stdlib.h>
#include "pm/hosts/pm_hosts_impl.h"

struct seat { /* a host */
    struct pm_host_entry *host;
    int number;
    long cap;  /* ranks in a round */
    int limit; /* in all rounds */
};

struct placing {
    struct seat *open; /* hosts that take more ranks */
    size_t opens;
    int *next; /* the host of the next rank */
    int left;  /* ranks to place */
};

/* Removes hosts that take no more ranks. Returns the first round that is not complete. */
static long next_round(struct placing *p)
{
    long round = LONG_MAX;
    size_t open = 0;

    for (size_t i = 0; i < p->opens; i++) {
        const struct seat s = p->open[i];
        if (s.host->ranks >= s.limit)
            continue;
        p->open[open++] = s;
        if (s.host->ranks / s.cap < round)
            round = s.host->ranks / s.cap;
    }
    p->opens = open;
    return round;
}

/* Each host gets ranks until it has so many of this round, or its cap. Returns how many hosts can
 * get more in the next turn of the round; they are moved to the front. */
static size_t placing_run_turn(struct placing *p, struct seat *seat, size_t seats, long round,
                               long ranks)
{
    size_t kept = 0;

    for (size_t i = 0; i < seats && p->left; i++) {
        const struct seat s = seat[i];
        long goal = round * s.cap + (ranks < s.cap ? ranks : s.cap);
        for (; s.host->ranks < goal && s.host->ranks < s.limit && p->left; p->left--) {
            *p->next++ = s.number;
            s.host->ranks++;
        }
        if (ranks < s.cap && s.host->ranks < s.limit)
            seat[kept++] = s;
    }
    return kept;
}

static void placing_fill(struct placing *p, struct seat *in_round, bool by_node)
{
    while (p->left) {
        long round = next_round(p);
        size_t n = p->opens;
        assert(n); /* there is room for all ranks */
        for (size_t i = 0; i < n; i++)
            in_round[i] = p->open[i];
        for (long ranks = by_node ? 1 : PM_SLOTS_MAX; n && p->left; ranks++)
            n = placing_run_turn(p, in_round, n, round, ranks);
    }
}

static int placing_refuse(struct pm_hosts *h, const struct pm_layout *l, int count, int room)
{
    pm_hosts_at(h, NULL, 0);
    if (l->strict)
        return pm_hosts_refuse(h, "%d ranks, and %d slots of their hosts are free (-strict-slots)",
                               count, room);
    return pm_hosts_refuse(h, "%d ranks, and max_slots of their hosts allow %d", count, room);
}

int pm_hosts_place(struct pm_hosts *h, const struct pm_layout *l, const struct pm_choices *c,
                   int count, int *host)
{
    int room = pm_choices_room(h, c, l);
    struct seat *seat = calloc(2 * c->count + 1, sizeof *seat);
    struct placing p = { .open = seat, .opens = c->count, .next = host, .left = count };

    if (!seat)
        return pm_hosts_refuse(h, "out of memory");
    if (room < count) {
        free(seat);
        return placing_refuse(h, l, count, room);
    }
    for (size_t i = 0; i < c->count; i++)
        seat[i] = (struct seat) { .host = h->entry[c->of[i].host],
                                  .number = (int) c->of[i].host,
                                  .cap = l->per_host ? l->per_host : c->of[i].slots,
                                  .limit = pm_choice_limit(h, &c->of[i], l) };
    placing_fill(&p, seat + c->count, l->by_node);
    free(seat);
    return 0;
}
