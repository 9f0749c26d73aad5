/* flag_block.c — small persistent operations in memory that the processes of a node share.
 *
 * Each request has a flag block of its own, with two lines for each rank, used by turns:
 *
 *   head | rank 0: even, odd | rank 1: even, odd | ... ;   a line: step (the flag) | data
 *
 * Start number s copies the data to line s mod 2 and stores s to its flag. The request is complete
 * when the flags of all are s and the result is taken. A process that sees all flags of start
 * s + 1 knows that all have taken the result of s, so start s + 2 may use the lines of s again.
 * After an error a process publishes nothing any more, since it may not have seen all flags.
 *
 * When the node's memory is lost, for a restart from a checkpoint, each process saves a copy of the
 * block. All copies are the same, because nothing is under way then. A start whose flags are not
 * all in the copy is done by messages, from its first step on, as are all later ones. */
#include <stdlib.h>
#include <string.h>
#include "adi3/shmcoll/shmcoll_impl.h"

enum {
    DATA_MOST = 1024,           /* bytes of data of a process */
    FLAG_BLOCK_MOST = 64 << 10, /* bytes of a block */
    FLAG_BLOCKS_MOST = 256,     /* blocks in use that this process has allocated */
    TESTS_PER_QUERY = 64,       /* tests in vain, between looks at what other processes called */
};

struct line {
    OS_ALIGNED _Atomic uint32_t step; /* the flag: the last start whose data has been published */
    _Alignas(16) char data[];
};

struct flag_block_head {
    OS_ALIGNED _Atomic uint32_t users; /* processes that use the block; 0: its memory is free */
    _Atomic uint32_t broken;           /* 1: starts end with an error */
    struct shmcoll_counter count[2];   /* of even and odd starts, when `counted` */
};

struct flag_block {
    struct flag_block *next; /* of all blocks of this process */
    struct flag_block_head *head;
    struct adi3_comm *comm;
    struct adi3_offload m;
    size_t offset, len;      /* in the node's memory, ... */
    struct node_share share; /* ... unless it is memory of its own: then `at` is not NULL */
    size_t room;             /* bytes of a line */
    int tag;
    uint32_t step; /* the last start; 0: none yet */
    uint32_t looks;
    int seen;                   /* ranks below `seen` have published for this start */
    bool counted;               /* processes wait for one word, which the last one to start sets */
    bool allocated;             /* by this process */
    bool broken;                /* starts end with an error here */
    void *saved;                /* the copy in use when the node's memory is lost; else NULL */
    struct shmcoll_peer peer[]; /* their control blocks are not used */
};

static struct flag_block *flag_blocks;
static int nallocated; /* blocks in use that this process has allocated */

const struct counter shmcoll_counters[] = {
    COUNTER_ROW(
        "shmcoll_flag_blocks", COUNTER_LEVEL, nallocated, "blocks",
        "How many flag blocks of persistent collective operations this process has allocated."),
    { 0 }
};

/* The line of a rank in the start under way. */
static struct line *line_of(const struct flag_block *b, int rank)
{
    size_t number = (size_t) rank * 2 + b->step % 2;

    return (struct line *) (void *) ((char *) (b->head + 1) + number * b->room);
}

/* ---- a start --------------------------------------------------------------------------------- */

static void wake_all(const struct flag_block *b)
{
    shmcoll_fence();
    for (int i = 0; i < b->comm->size; i++)
        if (shmcoll_peer_sleeps(&b->peer[i]) && i != b->comm->rank)
            shmcoll_peer_wake(&b->peer[i]);
}

static void flag_block_publish(struct flag_block *b)
{
    struct shmcoll_counter *n = &b->head->count[b->step % 2];

    atomic_store_explicit(&line_of(b, b->comm->rank)->step, b->step, memory_order_release);
    if (!b->counted) {
        wake_all(b);
    } else if (atomic_fetch_add(&n->here, 1) + 1 == (uint32_t) b->comm->size) {
        atomic_store_explicit(&n->here, 0, memory_order_relaxed);
        atomic_store_explicit(&n->released, b->step, memory_order_release);
        wake_all(b);
    }
}

bool flag_block_start(struct flag_block *b)
{
    const struct adi3_data *d = &b->m.out;

    assert(adi3_lock_held());
    if (b->saved)
        return false;
    if (b->broken)
        return true;
    b->step++;
    b->seen = 0;
    char *data = line_of(b, b->comm->rank)->data;
    if (d->type && d->type->contig && b->m.len > 0)
        memcpy(data, d->buf, b->m.len);
    else if (d->type && b->m.len > 0)
        adi3_pack(d, 0, data, b->m.len);
    flag_block_publish(b);
    return true;
}

static bool all_published(struct flag_block *b)
{
    if (b->counted)
        return atomic_load_explicit(&b->head->count[b->step % 2].released, memory_order_acquire)
               == b->step;
    while (b->seen < b->comm->size
           && atomic_load_explicit(&line_of(b, b->seen)->step, memory_order_acquire) == b->step)
        b->seen++;
    return b->seen == b->comm->size;
}

/* Asks the processes that have not started the operation what they have called. */
static int ask_absent(struct flag_block *b)
{
    enum collchk_due due;
    int err = collchk_wait(b->comm, b->tag, &due);

    for (int i = 0; due == COLLCHK_ASK && i < b->comm->size; i++)
        if (atomic_load_explicit(&line_of(b, i)->step, memory_order_acquire) != b->step)
            collchk_ask(b->comm, i, b->tag);
    return err;
}

/* A process that breaks the block in a later start, or dies there, has published this one
 * before. */
static int wait_error(struct flag_block *b)
{
    int err = proc_any_lost ? proc_lost_error(b->comm, MPI_ANY_SOURCE) : MPI_SUCCESS;

    bool broken = b->broken || atomic_load_explicit(&b->head->broken, memory_order_acquire);
    if ((err || broken) && !b->broken && all_published(b))
        return MPI_SUCCESS; /* the next test finds that it is complete */
    if (!err && broken) {
        err = call_error(b->comm, b->tag);
        if (!err)
            err = adi3_error(MPI_ERR_OTHER, "this persistent operation has failed before");
    }
    if (!err && ++b->looks % TESTS_PER_QUERY == 0)
        err = ask_absent(b);
    if (err)
        b->broken = true;
    return err;
}

int flag_block_test(struct flag_block *b)
{
    assert(adi3_lock_held());
    if (!b->broken && all_published(b))
        return MPI_SUCCESS;
    if (b->saved)
        return FLAG_BLOCK_LOST;
    int err = wait_error(b);

    if (!err)
        err = DEV_AGAIN;
    return err;
}

/* From the last rank's data down, as allreduce_shared.c does it, so that a blocking call has the
 * same bits. */
static void flag_block_combine(struct flag_block *b)
{
    _Alignas(16) char spare[DATA_MOST]; /* a function of the program may write to its input */
    const struct adi3_data *d = &b->m.in;
    int last = b->comm->size - 1;
    bool unlocked = adi3_unlock_for(b->m.op->function ? SIZE_MAX : 0);

    memcpy(d->buf, line_of(b, last)->data, b->m.len);
    for (int i = last - 1; i >= 0; i--) {
        const void *in = line_of(b, i)->data;
        adi3_reduce(b->m.op, b->m.op->function ? memcpy(spare, in, b->m.len) : in, d->buf, d->count,
                    d->type);
    }
    if (unlocked)
        adi3_lock();
}

void flag_block_take(struct flag_block *b)
{
    const struct adi3_data *d = &b->m.in;

    assert(adi3_lock_held());
    if (!d->type || b->m.len == 0)
        return;
    if (b->m.op)
        flag_block_combine(b);
    else
        adi3_unpack(d, 0, line_of(b, b->m.root)->data, b->m.len);
}

/* ---- life ------------------------------------------------------------------------------------ */

struct allocation {    /* what rank 0 broadcasts */
    uint64_t at;       /* in the node's memory; 0: there is no block */
    uint64_t data_len; /* of rank 0's operation */
};

static size_t line_len(size_t data_len)
{
    return (sizeof(struct line) + data_len + OS_LINE - 1) & ~(size_t) (OS_LINE - 1);
}

static size_t block_len(const struct adi3_comm *c, size_t data_len)
{
    size_t len = SHMCOLL_LEAST,
           needed = sizeof(struct flag_block_head) + 2 * (size_t) c->size * line_len(data_len);

    while (len < needed)
        len *= 2;
    return len;
}

static struct allocation flag_block_allocate(const struct adi3_comm *c, size_t data_len)
{
    struct allocation o = { 0, data_len };
    size_t len = block_len(c, data_len);

    if (nallocated < FLAG_BLOCKS_MOST && shmcoll_wanted && proc_through_memory(c->proc[1]))
        o.at = node_block_take(len);
    if (!o.at)
        return o;
    struct flag_block_head *head = (struct flag_block_head *) (void *) (adi3_node.base + o.at);
    memset(head, 0, len);
    atomic_store(&head->users, (uint32_t) c->size);
    return o;
}

static void hold_arguments(struct adi3_offload *m)
{
    if (m->out.type)
        m->out.type->refs++;
    if (m->in.type)
        m->in.type->refs++;
    if (m->op)
        m->op->refs++;
}

static void release_arguments(struct adi3_offload *m)
{
    if (m->out.type)
        adi3_type_release(m->out.type);
    if (m->in.type)
        adi3_type_release(m->in.type);
    if (m->op)
        adi3_op_release(m->op);
}

static void set_up(struct flag_block *b, struct adi3_comm *c, int tag, const struct adi3_offload *m,
                   void *at)
{
    *b = (struct flag_block) { .next = flag_blocks,
                               .head = at,
                               .comm = c,
                               .m = *m,
                               .tag = tag,
                               .len = block_len(c, m->len),
                               .room = line_len(m->len),
                               .counted = c->oversubscribed || c->size > SHMCOLL_FEW,
                               .allocated = c->rank == 0 };
    for (int i = 0; i < c->size; i++)
        shmcoll_peer_set(&b->peer[i], c, i);
    hold_arguments(&b->m);
    flag_blocks = b;
    nallocated += b->allocated;
}

static void release_block(struct flag_block_head *head, size_t offset, size_t len)
{
    if (atomic_fetch_sub(&head->users, 1) == 1)
        node_block_release(offset, len);
}

/* Of processes of several jobs. */
static int flag_block_share(const struct shmcoll_members *all, int tag,
                            const struct adi3_offload *m, struct flag_block *b,
                            struct flag_block **block)
{
    struct adi3_comm *c = all->comm;
    uint64_t data_len = m->len;
    struct node_share share;
    int err = shmcoll_broadcast(all, tag, &data_len, sizeof data_len);

    if (!err && data_len != m->len)
        err = adi3_collchk_unequal(c, 0, tag, data_len, m->len);
    bool ready = b && !err && nallocated < FLAG_BLOCKS_MOST;
    if (!shmcoll_share(all, tag, block_len(c, m->len), ready, &share)) {
        free(b);
        return err;
    }
    set_up(b, c, tag, m, share.at);
    b->share = share;
    *block = b;
    return MPI_SUCCESS;
}

int flag_block_new(struct adi3_comm *c, int tag, const struct adi3_offload *m,
                   struct flag_block **block)
{
    struct allocation o = { 0, m->len };

    assert(adi3_lock_held());
    *block = NULL;
    if (m->len > DATA_MOST || !c->together || c->size < 2 || block_len(c, m->len) > FLAG_BLOCK_MOST)
        return MPI_SUCCESS;
    const struct shmcoll_members all = { c, NULL, c->size, c->rank };
    struct flag_block *b = malloc(sizeof *b + (size_t) c->size * sizeof *b->peer);
    if (shmcoll_spans(&all))
        return flag_block_share(&all, tag, m, b, block);
    if (c->rank == 0 && b)
        o = flag_block_allocate(c, m->len);
    int err = shmcoll_broadcast(&all, tag, &o, sizeof o);
    if (!err && o.data_len != m->len)
        err = adi3_collchk_unequal(c, 0, tag, o.data_len, m->len);
    if (!err && o.at && !b)
        err = adi3_no_memory("for a request");
    if (!err && o.at) {
        set_up(b, c, tag, m, adi3_node.base + o.at);
        b->offset = o.at;
        *block = b;
        return MPI_SUCCESS;
    }
    struct flag_block_head *head = (struct flag_block_head *) (void *) (adi3_node.base + o.at);
    if (o.at) {
        atomic_store(&head->broken, 1); /* the other processes may use the block */
        release_block(head, o.at, block_len(c, o.data_len));
    }
    free(b);
    return err;
}

void flag_block_end(struct flag_block *b)
{
    struct flag_block **at = &flag_blocks;

    assert(adi3_lock_held());
    if (!b)
        return;
    while (*at != b)
        at = &(*at)->next;
    *at = b->next;
    nallocated -= b->allocated;
    if (b->share.at)
        shmcoll_share_drop(&b->share, b->allocated);
    else if (!b->saved)
        release_block(b->head, b->offset, b->len);
    release_arguments(&b->m);
    free(b->saved);
    free(b);
}

int flag_block_save_all(void)
{
    for (struct flag_block *b = flag_blocks; b; b = b->next) {
        if (!b->saved && !(b->saved = aligned_alloc(OS_LINE, b->len)))
            return adi3_no_memory("for a copy of %zu bytes", (size_t) b->len);
        if (b->head != b->saved)
            memcpy(b->saved, b->head, b->len);
        b->head = b->saved;
    }
    return MPI_SUCCESS;
}
