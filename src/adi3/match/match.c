/* match.c — posted receives and unexpected messages.
 *
 * All devices share one pair of queues for each context: a receive from MPI_ANY_SOURCE needs no
 * twin on every device, a probe looks in one place, and a debugger shows the queues whichever
 * devices are in use.
 *
 * A receive has one of four shapes: source and tag, any source, any tag, both any. When a search of
 * the list goes far, each shape gets a hash table. A receive is in the table of its shape, by its
 * source and tag; a message is looked up in all four tables, and of the receives found the one with
 * the lowest stamp matches. Unexpected messages get the table of a shape once a search for a
 * receive of that shape has gone far. All operations are then O(1) in the length of the queue,
 * removal included. */
#include <stdlib.h>
#include <string.h>
#include "adi3/match/match.h"
#include "platform/golden_ratio.h"

enum {
    FIRST_SIZE = 64,
    NEAR = 32,       /* entries; searching so many costs no more than four tables do, ... */
    NEAR_EXACT = 16, /* ... or than the one table of a queue without wildcards */
};

static void ring_init(struct match_link *ring) { ring->next = ring->prev = ring; }

static inline void ring_append(struct match_link *ring, struct match_link *l)
{
    l->next = ring;
    l->prev = ring->prev;
    l->prev->next = ring->prev = l;
}

static inline void take_out(struct match_link *l)
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

static struct match_message *unexpected_of(struct match_link *all)
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
        free(q->posted_by[shape].bucket);
        free(q->unexpected_by[shape].bucket);
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

/* The bucket for a rank and a tag. */
static struct match_link *bucket_of(const struct match_table *t, int rank, int tag)
{
    uint64_t h = ((uint32_t) rank * GOLDEN_RATIO_64 + (uint32_t) tag) * GOLDEN_RATIO_64;

    return &t->bucket[h >> 32 & (t->size - 1)];
}

/* Makes t an empty table with size buckets; false without memory, with t as it was. */
static bool make_table(struct match_table *t, unsigned size)
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

/* The size of a table for count entries. */
static unsigned size_for(unsigned count)
{
    unsigned size = FIRST_SIZE;

    while (size < count)
        size *= 2;
    return size;
}

static bool table_is_full(const struct match_table *t) { return t->count >= 2 * t->size; }

/* Frees the tables, which are empty when the list is. The list alone is searched from then on. */
static void drop_tables(struct match_table table[MATCH_SHAPES])
{
    for (int shape = 0; shape < MATCH_SHAPES; shape++) {
        free(table[shape].bucket);
        table[shape] = (struct match_table) { .size = 0 };
    }
}

/* ---- posted receives ------------------------------------------------------------------------- */

static void hash_posted(struct adi3_queues *q, struct match_entry *e)
{
    struct match_table *t = &q->posted_by[shape_of(e->rank, e->tag)];

    ring_append(bucket_of(t, e->rank, e->tag), &e->same);
    t->count++;
}

void match_set_hints(struct adi3_queues *q, int never)
{
    for (struct match_link *l = q->posted.next; l != &q->posted; l = l->next)
        if (shape_of(posted_of(l)->rank, posted_of(l)->tag) & never)
            never = 0;
    q->never = never;
}

/* Puts all posted receives into new tables of this size. False without memory: the list is searched
 * then. */
static bool hash_all_posted(struct adi3_queues *q, unsigned size)
{
    match_set_hints(q, q->never); /* arguments are not always checked */
    for (int shape = 0; shape < MATCH_SHAPES; shape++) {
        if (!(shape & q->never) && !make_table(&q->posted_by[shape], size)) {
            for (struct match_link *l = q->posted.next; l != &q->posted; l = l->next)
                posted_of(l)->same.next = NULL;
            drop_tables(q->posted_by);
            return false;
        }
    }
    for (struct match_link *l = q->posted.next; l != &q->posted; l = l->next)
        hash_posted(q, posted_of(l));
    return true;
}

void match_post(struct adi3_queues *q, struct match_entry *e)
{
    bool hashed = match_filed(q);

    match_append(q, e);
    if (__builtin_expect(!hashed, 1))
        return;
    if (shape_of(e->rank, e->tag) & q->never)
        q->never = 0; /* arguments are not always checked */
    if (table_is_full(&q->posted_by[shape_of(e->rank, e->tag)])) /* or not in use */
        (void) hash_all_posted(q, size_for(2 * q->nposted));
    else
        hash_posted(q, e);
}

/* How many entries of the list are searched before tables are made. */
static unsigned search_limit(const struct adi3_queues *q)
{
    return q->never == (MATCH_ANY_SOURCE | MATCH_ANY_TAG) ? NEAR_EXACT : NEAR;
}

void match_unpost(struct adi3_queues *q, struct match_entry *e)
{
    assert(q->nposted > 0);
    take_out(&e->all);
    if (e->same.next) {
        take_out(&e->same);
        q->posted_by[shape_of(e->rank, e->tag)].count--;
    }
    if (--q->nposted == 0 && match_filed(q))
        drop_tables(q->posted_by);
}

static struct match_entry *oldest_in(const struct match_table *t, int rank, int tag)
{
    struct match_link *ring = bucket_of(t, rank, tag);

    for (struct match_link *l = ring->next; l != ring; l = l->next) {
        struct match_entry *e = OS_OWNER(l, struct match_entry, same);
        if (e->rank == rank && e->tag == tag)
            return e;
    }
    return NULL;
}

/* match_posted() where match_filed(). */
static struct match_entry *find_posted(struct adi3_queues *q, int rank, int tag)
{
    struct match_entry *best = NULL;

    for (int shape = 0; shape < MATCH_SHAPES; shape++) {
        const struct match_table *t = &q->posted_by[shape];
        struct match_entry *e =
            t->count ? oldest_in(t, widen_rank(rank, shape), widen_tag(tag, shape)) : NULL;
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
        return find_posted(q, rank, tag);
    const unsigned most = search_limit(q);
    for (struct match_link *l = q->posted.next; l != &q->posted; l = l->next) {
        if (match_accepts(posted_of(l), rank, tag)) {
            take_out(l);
            q->nposted--;
            return posted_of(l);
        }
        if (++steps == most && hash_all_posted(q, size_for(q->nposted)))
            return find_posted(q, rank, tag);
    }
    return NULL;
}

/* ---- unexpected messages --------------------------------------------------------------------- */

static void hash_unexpected(struct match_table *t, struct match_message *u, int shape)
{
    ring_append(bucket_of(t, widen_rank(u->pkt.rank, shape), widen_tag(u->pkt.tag, shape)),
                &u->same[shape]);
    t->count++;
}

/* Puts all unexpected messages into a new table for one shape of receives. False without memory:
 * the list is searched then. */
static bool hash_all_unexpected(struct adi3_queues *q, int shape, unsigned size)
{
    struct match_table *t = &q->unexpected_by[shape];

    if (!make_table(t, size))
        return false;
    for (struct match_link *l = q->unexpected.next; l != &q->unexpected; l = l->next)
        hash_unexpected(t, unexpected_of(l), shape);
    return true;
}

void match_enqueue(struct adi3_queues *q, struct match_message *u)
{
    ring_append(&q->unexpected, &u->all);
    q->nunexpected++;
    for (int shape = 0; shape < MATCH_SHAPES; shape++) {
        struct match_table *t = &q->unexpected_by[shape];
        u->same[shape].next = NULL;
        if (t->size && table_is_full(t) && hash_all_unexpected(q, shape, 4 * t->size))
            continue;
        if (t->size)
            hash_unexpected(t, u, shape);
    }
}

static bool any_hashed(const struct match_table table[MATCH_SHAPES])
{
    return table[0].size | table[1].size | table[2].size | table[3].size;
}

static struct match_message *find_unexpected(const struct match_table *t, int source, int tag,
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

    if (q->unexpected_by[shape].size)
        return find_unexpected(&q->unexpected_by[shape], source, tag, shape);
    for (struct match_link *l = q->unexpected.next; l != &q->unexpected; l = l->next) {
        struct match_message *u = unexpected_of(l);
        if (widen_rank(u->pkt.rank, shape) == source && widen_tag(u->pkt.tag, shape) == tag)
            return u;
        if (++steps == NEAR && hash_all_unexpected(q, shape, size_for(q->nunexpected)))
            return find_unexpected(&q->unexpected_by[shape], source, tag, shape);
    }
    return NULL;
}

void match_take(struct adi3_queues *q, struct match_message *u)
{
    assert(q->nunexpected > 0);
    take_out(&u->all);
    for (int shape = 0; shape < MATCH_SHAPES; shape++) {
        if (u->same[shape].next) {
            take_out(&u->same[shape]);
            q->unexpected_by[shape].count--;
        }
    }
    if (--q->nunexpected == 0 && any_hashed(q->unexpected_by))
        drop_tables(q->unexpected_by);
}
