/* match.h — the posted and unexpected messages of one context. */
#ifndef MATCH_H
#define MATCH_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include "device.h"
#include "mpi.h"
#include "os.h"

enum { MATCH_ANY_SOURCE = 1, MATCH_ANY_TAG = 2, MATCH_SHAPES = 4 };

struct match_link { /* in a ring; next is NULL while it is in none */
    struct match_link *next, *prev;
};

struct match_entry {             /* a receive, with what it asks for, wildcards included */
    struct match_link all, same; /* in order of posting: all, those in one bucket */
    int rank, tag;
    uint64_t stamp;
};

struct match_message { /* a message nobody has asked for yet */
    struct match_link all, same[MATCH_SHAPES];
    struct dev_peer *from;
    struct dev_pkt pkt;
    bool complete;                /* payload all here */
    struct adi3_request *claimed; /* receive that took it while the payload was still arriving */
    char data[];
};

struct match_table { /* rings by hash, oldest first */
    struct match_link *bucket;
    unsigned size; /* a power of two; 0 where the list serves */
    unsigned count;
};

/* A queue is searched as a list, from the oldest, as long as that finds what it looks for near the
 * front, however long the queue. After a search that went further tables serve until it is
 * empty. */
struct adi3_queues {
    struct adi3_comm *comm;               /* NULL while it is not known here */
    struct match_link posted, unexpected; /* all, oldest first */
    unsigned nposted, nunexpected;
    uint64_t stamp;
    int never; /* the wildcards (MATCH_ANY_*) that no receive will have */
    struct match_table posts[MATCH_SHAPES], arrivals[MATCH_SHAPES];
};

void match_init(struct adi3_queues *q);
void match_fini(struct adi3_queues *q); /* frees the tables; the queues are empty */

static inline bool match_filed(const struct adi3_queues *q) { return q->posts[0].size != 0; }

/* That no receive will have these wildcards, unless one already has: fewer tables serve. */
void match_set_hints(struct adi3_queues *q, int never);

static inline void match_append(struct adi3_queues *q, struct match_entry *e)
{
    assert(!e->all.next);
    e->stamp = ++q->stamp;
    e->same.next = NULL;
    e->all.next = &q->posted;
    e->all.prev = q->posted.prev;
    e->all.prev->next = q->posted.prev = &e->all;
    q->nposted++;
}

/* As match_post(), where not match_filed(). */
static inline void match_post_listed(struct adi3_queues *q, struct match_entry *e)
{
    assert(!match_filed(q));
    match_append(q, e);
}

void match_post(struct adi3_queues *q, struct match_entry *e);
void match_unpost(struct adi3_queues *q, struct match_entry *e);

static inline bool match_answers(const struct match_entry *e, int rank, int tag)
{
    return (e->rank == rank || e->rank == MPI_ANY_SOURCE)
           && (e->tag == tag || e->tag == MPI_ANY_TAG);
}

struct match_entry *match_search(struct adi3_queues *q, int rank, int tag);

/* The oldest receive that a message answers to, removed; NULL when there is none. */
static inline struct match_entry *match_posted(struct adi3_queues *q, int rank, int tag)
{
    struct match_link *l = q->posted.next;
    struct match_entry *e = OS_OWNER(l, struct match_entry, all);

    if (__builtin_expect(l == &q->posted || match_filed(q) || !match_answers(e, rank, tag), 0))
        return match_search(q, rank, tag);
    l->next->prev = &q->posted;
    q->posted.next = l->next;
    l->next = NULL;
    q->nposted--;
    return e;
}

void match_enqueue(struct adi3_queues *q, struct match_message *u);
/* The oldest message that a receive asks for, left where it is; NULL when there is none. */
struct match_message *match_unexpected(struct adi3_queues *q, int source, int tag);
void match_take(struct adi3_queues *q, struct match_message *u);

#endif /* MATCH_H */
