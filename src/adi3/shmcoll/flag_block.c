/* flag_block.c — starts of small persistent operations, in memory that the processes of a node
 * share.
 *
 * Each operation has a board of its own, where each process has two lines, for starts in turns.
 * A start shows a line, and is over here when all have shown theirs, and the result is taken.
 * Who has seen all lines of start s + 1 knows that all have taken the result of s: so start s +
 * 2 may have those lines. After an error a process shows nothing any more, since it does not
 * know that.
 *
 * A board is lost when the memory is, for a restart. What had been shown was kept by all alike;
 * starts that this is not enough for are done by messages then, from their first step on. */
#include <stdlib.h>
#include <string.h>
#include "shmcoll_impl.h"

enum {
    SHOWN_MOST = 1024,          /* bytes of a process */
    FLAG_BLOCK_MOST = 64 << 10, /* of a board */
    FLAG_BLOCKS_MOST = 256,     /* that a process has made, and are still used */
    LOOKS = 64,                 /* in vain, between questions what others have called */
};

struct line {
    OS_ALIGNED _Atomic uint32_t step;
    _Alignas(16) char data[];
};

struct flag_block_head {
    OS_ALIGNED _Atomic uint32_t users; /* requests, one in each process */
    _Atomic uint32_t broken;
    struct shmcoll_counter count[2]; /* where the last one to come wakes the others */
};

struct flag_block {
    struct flag_block *next; /* of all boards */
    struct flag_block_head *head;
    struct adi3_comm *comm;
    struct adi3_offload m;
    size_t offset, len; /* in the node's segment */
    size_t room;        /* bytes of a line */
    int tag;
    uint32_t step, looks;
    int seen; /* ranks below have shown this step */
    bool counted, made, broken;
    void *kept; /* instead of memory that is lost */
    struct shmcoll_peer peer[];
};

static struct flag_block *boards;
static int made; /* by this process, and still used */

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
        if (atomic_load_explicit(b->peer[i].asleep, memory_order_relaxed) != DEV_AWAKE
            && i != b->comm->rank)
            adi3_node.wake(b->peer[i].index);
}

static void show(struct flag_block *b)
{
    struct shmcoll_counter *n = &b->head->count[b->step % 2];

    if (!b->counted) {
        atomic_store_explicit(&line_of(b, b->comm->rank)->step, b->step, memory_order_release);
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

    if (b->kept)
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
    show(b);
    return true;
}

static bool all_shown(struct flag_block *b)
{
    if (b->counted)
        return atomic_load_explicit(&b->head->count[b->step % 2].released, memory_order_acquire)
               == b->step;
    while (b->seen < b->comm->size
           && atomic_load_explicit(&line_of(b, b->seen)->step, memory_order_acquire) == b->step)
        b->seen++;
    return b->seen == b->comm->size;
}

static int fails(struct flag_block *b)
{
    int err = proc_any_lost ? proc_lost_error(b->comm, MPI_ANY_SOURCE) : MPI_SUCCESS;

    bool broken = b->broken || atomic_load_explicit(&b->head->broken, memory_order_relaxed);
    if (!err && broken && !(err = call_error(b->comm, b->tag)))
        err = adi3_error(MPI_ERR_OTHER, "this persistent operation has failed before");
    if (!err && ++b->looks % LOOKS == 0)
        err = collchk_wait(b->comm, b->tag);
    if (err)
        b->broken = true;
    return err;
}

int flag_block_test(struct flag_block *b)
{
    if (!b->broken && all_shown(b))
        return MPI_SUCCESS;
    if (b->kept)
        return FLAG_BLOCK_LOST;
    int err = fails(b);

    return err ? err : DEV_AGAIN;
}

/* The same bits as of a blocking call: see allreduce_shared.c. */
static void combine(struct flag_block *b)
{
    _Alignas(16) char spare[SHOWN_MOST]; /* a function of the program might write there */
    const struct adi3_data *d = &b->m.in;
    int last = b->comm->size - 1;
    bool aside = adi3_unlock_for(b->m.op->function ? SIZE_MAX : 0);

    memcpy(d->buf, line_of(b, last)->data, b->m.len);
    for (int i = last - 1; i >= 0; i--) {
        const void *in = line_of(b, i)->data;
        adi3_reduce(b->m.op, b->m.op->function ? memcpy(spare, in, b->m.len) : in, d->buf, d->count,
                    d->type);
    }
    if (aside)
        adi3_lock();
}

void flag_block_take(struct flag_block *b)
{
    const struct adi3_data *d = &b->m.in;

    if (!d->type || b->m.len == 0)
        return;
    if (b->m.op)
        combine(b);
    else
        adi3_unpack(d, 0, line_of(b, b->m.root)->data, b->m.len);
}

/* ---- life ------------------------------------------------------------------------------------ */

struct offer {   /* by the first process */
    uint64_t at; /* 0: there is no board */
    uint64_t shown;
};

static size_t line_length(size_t shown)
{
    return (sizeof(struct line) + shown + OS_LINE - 1) & ~(size_t) (OS_LINE - 1);
}

static size_t flag_block_length(const struct adi3_comm *c, size_t shown)
{
    size_t len = SHMCOLL_LEAST,
           needed = sizeof(struct flag_block_head) + 2 * (size_t) c->size * line_length(shown);

    while (len < needed)
        len *= 2;
    return len;
}

static struct offer make_offer(const struct adi3_comm *c, size_t shown)
{
    struct offer o = { 0, shown };
    size_t len = flag_block_length(c, shown);

    if (made < FLAG_BLOCKS_MOST && shmcoll_wanted && shmcoll_reaches(c->proc[1]))
        o.at = node_block_take(len);
    if (!o.at)
        return o;
    struct flag_block_head *head = (struct flag_block_head *) (void *) (adi3_node.base + o.at);
    memset(head, 0, len);
    atomic_store(&head->users, (uint32_t) c->size);
    return o;
}

static void hold(struct adi3_offload *m)
{
    if (m->out.type)
        m->out.type->refs++;
    if (m->in.type)
        m->in.type->refs++;
    if (m->op)
        m->op->refs++;
}

static void release(struct adi3_offload *m)
{
    if (m->out.type)
        adi3_type_release(m->out.type);
    if (m->in.type)
        adi3_type_release(m->in.type);
    if (m->op)
        adi3_op_release(m->op);
}

static void set_up(struct flag_block *b, struct adi3_comm *c, int tag, const struct adi3_offload *m,
                   const struct offer *o)
{
    *b = (struct flag_block) { .next = boards,
                               .head = (struct flag_block_head *) (void *) (adi3_node.base + o->at),
                               .comm = c,
                               .m = *m,
                               .tag = tag,
                               .offset = o->at,
                               .len = flag_block_length(c, m->len),
                               .room = line_length(m->len),
                               .counted = adi3_node.oversubscribed || c->size > SHMCOLL_FEW,
                               .made = c->rank == 0 };
    for (int i = 0; i < c->size; i++) {
        b->peer[i].index = c->proc[i]->peer.local;
        b->peer[i].asleep = adi3_node.asleep(b->peer[i].index);
    }
    hold(&b->m);
    boards = b;
    made += b->made;
}

static void leave(struct flag_block_head *head, size_t offset, size_t len)
{
    if (atomic_fetch_sub(&head->users, 1) == 1)
        node_block_release(offset, len);
}

int flag_block_new(struct adi3_comm *c, int tag, const struct adi3_offload *m,
                   struct flag_block **board)
{
    struct offer o = { 0, m->len };

    *board = NULL;
    if (m->len > SHOWN_MOST || !c->together || c->size < 2
        || flag_block_length(c, m->len) > FLAG_BLOCK_MOST)
        return MPI_SUCCESS;
    struct flag_block *b = malloc(sizeof *b + (size_t) c->size * sizeof *b->peer);
    if (c->rank == 0 && b)
        o = make_offer(c, m->len);
    int err = shmcoll_broadcast(c, tag, &o, sizeof o);
    if (!err && o.shown != m->len)
        err = adi3_collchk_unequal(c, 0, tag, o.shown, m->len);
    if (!err && o.at && !b)
        err = request_no_memory();
    if (!err && o.at) {
        set_up(b, c, tag, m, &o);
        *board = b;
        return MPI_SUCCESS;
    }
    struct flag_block_head *head = (struct flag_block_head *) (void *) (adi3_node.base + o.at);
    if (o.at) {
        atomic_store(&head->broken, 1); /* the others count on us */
        leave(head, o.at, flag_block_length(c, o.shown));
    }
    free(b);
    return err;
}

void flag_block_end(struct flag_block *b)
{
    struct flag_block **at = &boards;

    if (!b)
        return;
    while (*at != b)
        at = &(*at)->next;
    *at = b->next;
    made -= b->made;
    if (!b->kept)
        leave(b->head, b->offset, b->len);
    release(&b->m);
    free(b->kept);
    free(b);
}

int flag_block_save_all(void)
{
    for (struct flag_block *b = boards; b; b = b->next) {
        if (!b->kept && !(b->kept = aligned_alloc(OS_LINE, b->len)))
            return request_no_memory();
        if (b->head != b->kept)
            memcpy(b->kept, b->head, b->len);
        b->head = b->kept;
    }
    return MPI_SUCCESS;
}
