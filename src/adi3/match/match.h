/* match.h — message matching: the queues of posted receives and of unexpected messages of a
 * context.
 *
 * Uses device.h and src/platform; used by request, p2p, comm and collchk. In MPICH: the recvq,
 * in UCX: tag matching (ucp_tag_match). The caller holds the ADI3 lock. A message is matched by
 * context, source rank and tag; the queues of a context are found by the caller. */
#ifndef MATCH_H
#define MATCH_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include "devices/device.h"
#include "mpi.h"
#include "platform/os.h"

enum { MATCH_ANY_SOURCE = 1, MATCH_ANY_TAG = 2, MATCH_SHAPES = 4 };

struct match_link { /* in a ring; next is NULL while it is in none of them */
    struct match_link *next, *prev;
};

struct match_entry {             /* a posted receive */
    struct match_link all, same; /* in order of posting: in the queue, and in a bucket */
    int rank, tag;               /* asked for; may be wildcards */
    uint64_t stamp;              /* number in the order of posting */
};

struct match_message { /* an unexpected message: no receive has matched it yet */
    struct match_link all, same[MATCH_SHAPES];
    struct dev_peer *from;
    struct dev_pkt pkt;
    bool complete;                /* all its payload has arrived */
    struct adi3_request *claimed; /* the receive that matched while it was incomplete; or NULL */
    char data[];
};

struct match_table { /* a hash table; each bucket is a ring, oldest first */
    struct match_link *bucket;
    unsigned size;  /* buckets, a power of two; 0: not in use */
    unsigned count; /* entries */
};

/* A queue is searched as a list, from the oldest on, as long as searches end near the front,
 * however long the queue is. After a search that went farther, hash tables are used until the
 * queue is empty. */
struct adi3_queues {
    struct adi3_comm *comm;               /* NULL until this process has made it */
    struct match_link posted, unexpected; /* all, oldest first */
    unsigned nposted, nunexpected;
    uint64_t stamp; /* of the receive posted last */
    int never;      /* the wildcards (MATCH_ANY_*) that no receive will have */
    struct match_table posted_by[MATCH_SHAPES], unexpected_by[MATCH_SHAPES]; /* shape */
};

void match_init(struct adi3_queues *q);
void match_fini(struct adi3_queues *q); /* frees the tables; the queues must be empty */

/* Whether posted receives are in hash tables. */
static inline bool match_filed(const struct adi3_queues *q) { return q->posted_by[0].size != 0; }

/* Says that no receive will have these wildcards (MATCH_ANY_*): fewer tables are needed then.
 * Has no effect when a posted receive has one of them. */
void match_set_hints(struct adi3_queues *q, int never);

/* Adds e at the end of the list of posted receives. */
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

/* Posts a receive, whose rank and tag are set. It stays there until it has matched or is removed by
 * match_unpost(). */
void match_post(struct adi3_queues *q, struct match_entry *e);
void match_unpost(struct adi3_queues *q, struct match_entry *e);

/* Whether a message with this rank and tag matches the receive. */
static inline bool match_accepts(const struct match_entry *e, int rank, int tag)
{
    return (e->rank == rank || e->rank == MPI_ANY_SOURCE)
           && (e->tag == tag || e->tag == MPI_ANY_TAG);
}

/* The receive at the front of the list if a message matches it; NULL: match_search() may find
 * another. It stays in the list. */
static inline struct match_entry *match_front(const struct adi3_queues *q, int rank, int tag)
{
    struct match_link *l = q->posted.next;
    struct match_entry *e = OS_OWNER(l, struct match_entry, all);

    if (__builtin_expect(l == &q->posted || match_filed(q) || !match_accepts(e, rank, tag), 0))
        return NULL;
    return e;
}

/* Removes what match_front() has returned. */
static inline void match_remove_front(struct adi3_queues *q, struct match_entry *e)
{
    assert(q->posted.next == &e->all && !match_filed(q));
    e->all.next->prev = &q->posted;
    q->posted.next = e->all.next;
    e->all.next = NULL;
    q->nposted--;
}

/* match_posted() where match_front() is NULL. */
struct match_entry *match_search(struct adi3_queues *q, int rank, int tag);

/* Removes and returns the oldest posted receive that a message matches; NULL when there is none. */
static inline struct match_entry *match_posted(struct adi3_queues *q, int rank, int tag)
{
    struct match_entry *e = match_front(q, rank, tag);

    if (__builtin_expect(!e, 0))
        return match_search(q, rank, tag);
    match_remove_front(q, e);
    return e;
}

/* Adds an unexpected message; u->pkt is set. */
void match_enqueue(struct adi3_queues *q, struct match_message *u);
/* Returns the oldest unexpected message that matches a receive, and leaves it in the queue; NULL
 * when there is none. source and tag may be wildcards. */
struct match_message *match_unexpected(struct adi3_queues *q, int source, int tag);
void match_take(struct adi3_queues *q, struct match_message *u); /* removes it from the queue */

#endif /* MATCH_H */
