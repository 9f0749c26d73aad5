/* life.c — how segments are made and released.
 *
 * The first process of a communicator, or of its processes on this node, takes a block of the
 * node's memory, clears it and broadcasts where it is; processes of several jobs get memory of
 * their own (memory.c). That of MPI_COMM_WORLD needs no messages, which would be the first ones of
 * most jobs: the process that comes first writes into the node's memory where it is. The block
 * counts its users; the last one releases it. */
#include <stdlib.h>
#include <string.h>
#include "adi3/shmcoll/shmcoll_impl.h"

struct allocation {   /* what the first process broadcasts */
    uint64_t at, len; /* in the node's memory; at == 0: there is no segment */
};

size_t shmcoll_control_block_len(size_t len, int size)
{
    size_t blocks_len = len - sizeof(struct shmcoll_head);

    return blocks_len / (size_t) (size + 1) & ~(size_t) (OS_LINE - 1);
}

/* A power of two, so that other communicators can use the memory after its release. */
size_t shmcoll_segment_len(int size, size_t each)
{
    size_t len = SHMCOLL_LEAST;

    while (len < SHMCOLL_ALL && len < (size_t) size * each)
        len *= 2;
    while (shmcoll_control_block_len(len, size) < SHMCOLL_LEAST)
        len *= 2;
    return len;
}

/* The first communicators have long rings. They leave at least as much of the node's memory as so
 * many of them take. */
enum { LEFT = 8 };

static struct allocation block_allocate(int size)
{
    struct allocation o = { 0, shmcoll_segment_len(size, SHMCOLL_LONG) };

    if (node_block_room() >= LEFT * o.len)
        o.at = node_block_take(o.len);
    if (o.at)
        return o;
    o.len = shmcoll_segment_len(size, SHMCOLL_EACH);
    o.at = node_block_take(o.len);
    return o;
}

static struct allocation coll_segment_allocate(const struct shmcoll_members *m)
{
    struct allocation o = { 0, 0 };
    struct adi3_proc *other = m->comm->proc[shmcoll_rank_of(m, m->me ? 0 : 1)];

    if (shmcoll_wanted && proc_through_memory(other))
        o = block_allocate(m->size);
    if (!o.at)
        return o;
    struct shmcoll_head *head = (struct shmcoll_head *) (void *) (adi3_node.base + o.at);
    memset(head, 0, sizeof *head);
    for (int i = 0; i < m->size; i++)
        memset((char *) (head + 1) + (size_t) i * shmcoll_control_block_len(o.len, m->size), 0,
               SHMCOLL_LINES * sizeof(struct shmcoll_line));
    atomic_store(&head->users, (uint32_t) m->size);
    return o;
}

/* In the word of the node's memory where the segment of MPI_COMM_WORLD is; in that place, if its
 * rings are short. */
enum { NOT_YET, NONE, SHORT_RINGS };

/* Finds the segment of MPI_COMM_WORLD. The first process that gets the node's lock allocates the
 * block. Other processes wait for the lock, which a dying process loses. */
static struct allocation allocate_world(const struct shmcoll_members *m)
{
    size_t len = shmcoll_segment_len(m->size, SHMCOLL_LONG);
    uint64_t at = atomic_load(node_world());

    if (at == NOT_YET) {
        int unlocked = node_lock();
        if ((at = atomic_load(node_world())) == NOT_YET) {
            struct allocation mine =
                unlocked ? (struct allocation) { 0, 0 } : coll_segment_allocate(m);
            uint64_t found = mine.at ? mine.at | (mine.len < len ? SHORT_RINGS : 0) : NONE;
            if (atomic_compare_exchange_strong(node_world(), &at, found))
                at = found;
            else if (mine.at) /* another process could not lock */
                node_block_release(mine.at, mine.len);
        }
        if (!unlocked)
            node_unlock();
    }
    if (at == NONE)
        return (struct allocation) { 0, 0 };
    if (at & SHORT_RINGS)
        len = shmcoll_segment_len(m->size, SHMCOLL_EACH);
    return (struct allocation) { at & ~(uint64_t) SHORT_RINGS, len };
}

static void set_up(struct adi3_shmcoll *s, const struct shmcoll_members *m, void *at, size_t len)
{
    size_t block_len = shmcoll_control_block_len(len, m->size);
    size_t short_len =
        shmcoll_control_block_len(shmcoll_segment_len(m->size, SHMCOLL_EACH), m->size);
    bool crowded = node_crowded(m->comm, m->ranks, m->size);

    *s = (struct adi3_shmcoll) { .head = at,
                                 .comm = m->comm,
                                 .len = len,
                                 .rank = m->me,
                                 .size = m->size,
                                 .last_works = crowded || m->size > SHMCOLL_FEW,
                                 .ring = block_len - SHMCOLL_LINES * sizeof(struct shmcoll_line),
                                 .near = short_len - SHMCOLL_LINES * sizeof(struct shmcoll_line) };
    for (int i = 0; i <= m->size; i++)
        s->peer[i].line =
            (struct shmcoll_line *) (void *) ((char *) (s->head + 1) + (size_t) i * block_len);
    for (int i = 0; i < m->size; i++)
        shmcoll_peer_set(&s->peer[i], m->comm, shmcoll_rank_of(m, i));
}

static void release_segment(struct shmcoll_head *head, size_t offset, size_t len)
{
    uint32_t users = atomic_fetch_sub(&head->users, 1);

    assert(users > 0);
    if (users == 1)
        node_block_release(offset, len);
}

/* There is a segment, but this process has no memory for its view of it. The other processes are
 * going to use the segment, so the call fails in all processes. */
static void fail_all(struct adi3_comm *c, int tag, const struct allocation *o)
{
    struct shmcoll_head *head = (struct shmcoll_head *) (void *) (adi3_node.base + o->at);
    struct adi3_call_record *call = call_record_of_tag(c, tag);

    atomic_store(&head->broken, 1);
    release_segment(head, o->at, o->len);
    if (call)
        collchk_fail(
            c, call,
            adi3_error(MPI_ERR_NO_MEM, "rank %d has no memory for this operation", c->rank));
}

/* Of processes of several jobs: all have the segment, or none has. */
static struct adi3_shmcoll *coll_segment_share(const struct shmcoll_members *m, int tag,
                                               struct adi3_shmcoll *s)
{
    struct node_share share;
    size_t len = shmcoll_segment_len(m->size, SHMCOLL_LONG);

    if (LEFT * len > shmcoll_share_room())
        len = shmcoll_segment_len(m->size, SHMCOLL_EACH);
    if (!shmcoll_share(m, tag, len, s != NULL, &share) || !s) {
        free(s);
        return NULL;
    }
    set_up(s, m, share.at, share.len);
    s->share = share;
    return s;
}

static struct adi3_shmcoll *coll_segment_make(const struct shmcoll_members *m, int tag)
{
    struct allocation o = { 0, 0 };
    struct adi3_shmcoll *s = malloc(sizeof *s + (size_t) (m->size + 1) * sizeof *s->peer);
    bool world = m->comm == &adi3_world;

    if (shmcoll_spans(m))
        return coll_segment_share(m, tag, s);
    if (world)
        o = allocate_world(m);
    else if (m->me == 0 && s)
        o = coll_segment_allocate(m);
    int err = world ? MPI_SUCCESS : shmcoll_broadcast(m, tag, &o, sizeof o);
    if (o.at && s) {
        set_up(s, m, adi3_node.base + o.at, o.len);
        s->offset = o.at;
        if (err)
            (void) adi3_shmcoll_fail(s, err);
        return s;
    }
    if (o.at)
        fail_all(m->comm, tag, &o);
    free(s);
    return NULL;
}

struct adi3_shmcoll *adi3_shmcoll(struct adi3_comm *c, int tag)
{
    const struct shmcoll_members all = { c, NULL, c->size, c->rank };

    assert(adi3_lock_held() && c->together);
    if (!c->shmcoll_asked) {
        c->shmcoll_asked = true;
        c->shmcoll = c->size > 1 ? coll_segment_make(&all, tag) : NULL;
    }
    return c->shmcoll;
}

struct adi3_shmcoll *adi3_shmcoll_on_node(struct adi3_comm *c, int tag, const int *ranks, int n,
                                          int me)
{
    const struct shmcoll_members here = { c, ranks, n, me };

    assert(adi3_lock_held() && !c->together);
    if (!c->shmcoll_on_node) {
        c->shmcoll_on_node = true;
        c->shmcoll = n > 1 ? coll_segment_make(&here, tag) : NULL;
    }
    return c->shmcoll;
}

static void coll_segment_forget(struct adi3_comm *c)
{
    if (c->shmcoll && c->shmcoll->share.at)
        shmcoll_share_drop(&c->shmcoll->share, c->shmcoll->rank == 0);
    free(c->shmcoll);
    c->shmcoll = NULL;
    c->shmcoll_asked = c->shmcoll_on_node = false;
}

static void comm_ends(struct adi3_comm *c)
{
    struct adi3_shmcoll *s = c->shmcoll;

    if (s && !s->share.at)
        release_segment(s->head, s->offset, s->len);
    coll_segment_forget(c);
}

static void forget_all(void)
{
    coll_segment_forget(&adi3_world);
    coll_segment_forget(&adi3_self);
    for (struct adi3_comm *c = NULL; (c = adi3_next(&adi3_comms, c));)
        coll_segment_forget(c);
}

static int segment_lost(void)
{
    forget_all();
    return flag_block_save_all();
}

int shmcoll_init(void)
{
    static const struct base_hooks hooks = { .name = "shmcoll",
                                             .comm_ends = comm_ends,
                                             .segment_lost = segment_lost };
    int err = progress_source_add(&shmcoll_source);

    if (!err)
        err = base_hooks_add(&hooks);
    return err;
}
