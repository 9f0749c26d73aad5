/* match.c — posted receives and unexpected messages.
 *
 * One pair of queues for all devices: a receive from MPI_ANY_SOURCE needs no partner on every
 * device, a probe looks in one place, a debugger shows the queues whichever devices are in use.
 *
 * A receive has one of four shapes: source and tag, any source, any tag, both any. Where the list
 * would have to be searched far it is filed under exactly what it asks for; a message looks under
 * the four keys it answers to, and the lowest stamp wins. Messages are filed under a shape once a
 * receive of that shape has looked far. All is then O(1) in the length of the queue, removing
 * included. */
#include <stdlib.h>
#include <string.h>
#include "match.h"

enum {
    FIRST_SIZE = 64,
    NEAR = 32,       /* entries: to search them costs no more than the tables do, ... */
    NEAR_EXACT = 16, /* ... or the one table of a queue without wildcards */
};

static void ring_init(struct match_link *ring) { ring->next = ring->prev = ring; }

static inline void push(struct match_link *ring, struct match_link *l)
{
    l->next = ring;
    l->prev = ring->prev;
    l->prev->next = ring->prev = l;
}

static inline void pull(struct match_link *l)
{
    assert(l->next && l->next->prev == l && l->prev->next == l);
    l->prev->next = l->next;
    l->next->prev = l->prev;
    l->next = NULL;
}

static struct match_entry *posted_of(struct match_link *all)
{
    return OS_OWNER(all, struct match_entry, all);
}

static struct match_message *unex_of(struct match_link *all)
{
    return OS_OWNER(all, struct match_message, all);
}

void match_init(struct adi3_queues *q)
{
    memset(q, 0, sizeof *q);
    ring_init(&q->posted);
    ring_init(&q->unexpected);
}

void match_fini(struct adi3_queues *q)
{
    assert(!q->nposted && !q->nunexpected);
    for (int shape = 0; shape < MATCH_SHAPES; shape++) {
        free(q->posts[shape].bucket);
        free(q->arrivals[shape].bucket);
    }
}

/* ---- tables ---------------------------------------------------------------------------------- */

static int shape_of(int rank, int tag)
{
    return (rank == MPI_ANY_SOURCE ? MATCH_ANY_SOURCE : 0)
           | (tag == MPI_ANY_TAG ? MATCH_ANY_TAG : 0);
}

static int widen_rank(int rank, int shape)
{
    return shape & MATCH_ANY_SOURCE ? MPI_ANY_SOURCE : rank;
}
static int widen_tag(int tag, int shape) { return shape & MATCH_ANY_TAG ? MPI_ANY_TAG : tag; }

static struct match_link *bucket_of(const struct match_table *t, int rank, int tag)
{
    const uint64_t prime = 0x9e3779b97f4a7c15;
    uint64_t h = ((uint32_t) rank * prime + (uint32_t) tag) * prime;

    return &t->bucket[h >> 32 & (t->size - 1)];
}

/* An empty table with that many buckets; one without memory stays as it is. */
static bool make(struct match_table *t, unsigned size)
{
    struct match_link *b = malloc(size * sizeof *b);

    if (!b)
        return false;
    free(t->bucket);
    *t = (struct match_table) { .bucket = b, .size = size };
    for (unsigned i = 0; i < size; i++)
        ring_init(&b[i]);
    return true;
}

/* The size for that many entries. */
static unsigned size_for(unsigned count)
{
    unsigned size = FIRST_SIZE;

    while (size < count)
        size *= 2;
    return size;
}

static bool full(const struct match_table *t) { return t->count >= 2 * t->size; }

/* The tables are empty when the list is: the list serves again until it is long. */
static void retire(struct match_table table[MATCH_SHAPES])
{
    for (int shape = 0; shape < MATCH_SHAPES; shape++) {
        free(table[shape].bucket);
        table[shape] = (struct match_table) { .size = 0 };
    }
}

/* ---- posted receives ------------------------------------------------------------------------- */

static void file_post(struct adi3_queues *q, struct match_entry *e)
{
    struct match_table *t = &q->posts[shape_of(e->rank, e->tag)];

    push(bucket_of(t, e->rank, e->tag), &e->same);
    t->count++;
}

void match_set_hints(struct adi3_queues *q, int never)
{
    for (struct match_link *l = q->posted.next; l != &q->posted; l = l->next)
        if (shape_of(posted_of(l)->rank, posted_of(l)->tag) & never)
            never = 0;
    q->never = never;
}

/* Files all receives in tables of this size, those already filed too. */
static bool file_posts(struct adi3_queues *q, unsigned size)
{
    match_set_hints(q, q->never); /* is it kept? */
    for (int shape = 0; shape < MATCH_SHAPES; shape++) {
        if (!(shape & q->never) && !make(&q->posts[shape], size)) {
            for (struct match_link *l = q->posted.next; l != &q->posted; l = l->next)
                posted_of(l)->same.next = NULL;
            retire(q->posts);
            return false;
        }
    }
    for (struct match_link *l = q->posted.next; l != &q->posted; l = l->next)
        file_post(q, posted_of(l));
    return true;
}

void match_post(struct adi3_queues *q, struct match_entry *e)
{
    bool filed = match_filed(q);

    match_append(q, e);
    if (__builtin_expect(!filed, 1))
        return;
    if (shape_of(e->rank, e->tag) & q->never)
        q->never = 0;                               /* arguments are not checked */
    if (full(&q->posts[shape_of(e->rank, e->tag)])) /* or not there */
        (void) file_posts(q, size_for(2 * q->nposted));
    else
        file_post(q, e);
}

/* How far a list is searched. */
static unsigned near(const struct adi3_queues *q)
{
    return q->never == (MATCH_ANY_SOURCE | MATCH_ANY_TAG) ? NEAR_EXACT : NEAR;
}

void match_unpost(struct adi3_queues *q, struct match_entry *e)
{
    assert(q->nposted > 0);
    pull(&e->all);
    if (e->same.next) {
        pull(&e->same);
        q->posts[shape_of(e->rank, e->tag)].count--;
    }
    if (--q->nposted == 0 && match_filed(q))
        retire(q->posts);
}

static struct match_entry *oldest_post(const struct match_table *t, int rank, int tag)
{
    struct match_link *ring = bucket_of(t, rank, tag);

    for (struct match_link *l = ring->next; l != ring; l = l->next) {
        struct match_entry *e = OS_OWNER(l, struct match_entry, same);
        if (e->rank == rank && e->tag == tag)
            return e;
    }
    return NULL;
}

/* Where match_filed(). */
static struct match_entry *filed_post(struct adi3_queues *q, int rank, int tag)
{
    struct match_entry *best = NULL;

    for (int shape = 0; shape < MATCH_SHAPES; shape++) {
        const struct match_table *t = &q->posts[shape];
        struct match_entry *e =
            t->count ? oldest_post(t, widen_rank(rank, shape), widen_tag(tag, shape)) : NULL;
        if (e && (!best || e->stamp < best->stamp))
            best = e;
    }
    if (best)
        match_unpost(q, best);
    return best;
}

struct match_entry *match_search(struct adi3_queues *q, int rank, int tag)
{
    unsigned steps = 0;

    if (__builtin_expect(match_filed(q), 0))
        return filed_post(q, rank, tag);
    const unsigned most = near(q);
    for (struct match_link *l = q->posted.next; l != &q->posted; l = l->next) {
        if (match_answers(posted_of(l), rank, tag)) {
            pull(l);
            q->nposted--;
            return posted_of(l);
        }
        if (++steps == most && file_posts(q, size_for(q->nposted)))
            return filed_post(q, rank, tag);
    }
    return NULL;
}

/* ---- unexpected messages --------------------------------------------------------------------- */

static void file_arrival(struct match_table *t, struct match_message *u, int shape)
{
    push(bucket_of(t, widen_rank(u->pkt.rank, shape), widen_tag(u->pkt.tag, shape)),
         &u->same[shape]);
    t->count++;
}

/* Files all messages under one shape; without memory the list goes on serving. */
static bool file_arrivals(struct adi3_queues *q, int shape, unsigned size)
{
    struct match_table *t = &q->arrivals[shape];

    if (!make(t, size))
        return false;
    for (struct match_link *l = q->unexpected.next; l != &q->unexpected; l = l->next)
        file_arrival(t, unex_of(l), shape);
    return true;
}

void match_enqueue(struct adi3_queues *q, struct match_message *u)
{
    push(&q->unexpected, &u->all);
    q->nunexpected++;
    for (int shape = 0; shape < MATCH_SHAPES; shape++) {
        struct match_table *t = &q->arrivals[shape];
        u->same[shape].next = NULL;
        if (t->size && full(t) && file_arrivals(q, shape, 4 * t->size))
            continue;
        if (t->size)
            file_arrival(t, u, shape);
    }
}

static bool any_filed(const struct match_table table[MATCH_SHAPES])
{
    return table[0].size | table[1].size | table[2].size | table[3].size;
}

static struct match_message *filed_arrival(const struct match_table *t, int source, int tag,
                                           int shape)
{
    struct match_link *ring = bucket_of(t, source, tag);

    for (struct match_link *l = ring->next; l != ring; l = l->next) {
        struct match_message *u = OS_OWNER(l - shape, struct match_message, same);
        if (widen_rank(u->pkt.rank, shape) == source && widen_tag(u->pkt.tag, shape) == tag)
            return u;
    }
    return NULL;
}

struct match_message *match_unexpected(struct adi3_queues *q, int source, int tag)
{
    int shape = shape_of(source, tag);
    unsigned steps = 0;

    if (q->arrivals[shape].size)
        return filed_arrival(&q->arrivals[shape], source, tag, shape);
    for (struct match_link *l = q->unexpected.next; l != &q->unexpected; l = l->next) {
        struct match_message *u = unex_of(l);
        if (widen_rank(u->pkt.rank, shape) == source && widen_tag(u->pkt.tag, shape) == tag)
            return u;
        if (++steps == NEAR && file_arrivals(q, shape, size_for(q->nunexpected)))
            return filed_arrival(&q->arrivals[shape], source, tag, shape);
    }
    return NULL;
}

void match_take(struct adi3_queues *q, struct match_message *u)
{
    assert(q->nunexpected > 0);
    pull(&u->all);
    for (int shape = 0; shape < MATCH_SHAPES; shape++) {
        if (u->same[shape].next) {
            pull(&u->same[shape]);
            q->arrivals[shape].count--;
        }
    }
    if (--q->nunexpected == 0 && any_filed(q->arrivals))
        retire(q->arrivals);
}
