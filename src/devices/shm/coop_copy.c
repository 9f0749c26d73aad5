/* coop_copy.c — large messages: out of the sender's memory into the receiver's, by both of them.
 *
 * The sender writes pieces into the ring while the receiver takes them out of it: two cores at
 * once, faster than one of them with the kernel's help (CMA) at every size, near and far. But that
 * needs both, and the sender may compute. So the receiver writes into the ring's head what is to be
 * copied and tells the sender; each claims pieces, and the receiver reads his by CMA, when none
 * have come for a moment. Who is busy elsewhere leaves all to the other: nobody waits for a piece
 * that has not been begun, and one that is claimed for the ring has room there.
 *
 * A claim is a compare-and-swap on one word that says all of a job that a claim depends on:
 *
 *   63 .. 44 number of the job | 43 .. 22 pieces | 21 .. 0 pieces claimed
 *
 * One that belongs to an earlier job, and so to memory that may be in other use, fails; and none is
 * made of a job whose other fields are being written, since the word is that of the last one, all
 * of whose pieces are claimed. */
#include <errno.h>
#include <string.h>
#include "shm.h"

enum {
    SHARED_LEAST = 12 << 10,  /* bytes worth a second hand */
    WORTH_WAKING = 512 << 10, /* bytes that take longer than a wake-up */
    PATIENCE_NS = 3000,       /* for a piece, before the receiver reads */
    TRIED_AGAIN = 32,         /* jobs, of which one goes the way that seemed worse */
    HELP_MOST = 4,            /* pieces in one poll */
    READ_ALONE = 1 << 20,     /* bytes with one call: each costs as much as reading 8 KiB */
    COUNT_BITS = 22,
    COUNT_MAX = (1 << COUNT_BITS) - 1,
};

bool shm_copies;

static struct shm_peer *receiving, *helping; /* peers whose messages we read; whom we help */

static size_t min(size_t a, size_t b) { return a < b ? a : b; }

static uint32_t pieces_of(uint64_t claim) { return claim >> COUNT_BITS & COUNT_MAX; }
static uint32_t claimed_of(uint64_t claim) { return claim & COUNT_MAX; }

struct part {
    uint64_t from, key; /* of the message; see shm_job */
    uint64_t at, len;   /* bytes of it; len 0: none */
};

/* The next pieces of the job, so many that they are no more than `most` bytes, but one at least.
 * What is read of the job before the claim is true when the claim succeeds. */
static struct part claim(struct shm_job *j, size_t most)
{
    uint64_t seen = atomic_load_explicit(&j->claim, memory_order_acquire);

    while (claimed_of(seen) < pieces_of(seen)) {
        uint64_t piece = j->piece, n = most / piece ? most / piece : 1, at;
        n = min(n, pieces_of(seen) - claimed_of(seen));
        at = claimed_of(seen) * piece;
        const struct part x = { j->from, j->key, at, min(n * piece, j->len - at) };
        if (atomic_compare_exchange_weak(&j->claim, &seen, seen + n))
            return x;
    }
    return (struct part) { .len = 0 };
}

/* ---- the receiver ---------------------------------------------------------------------------- */

static bool tell_sender(struct shm_peer *p, size_t len)
{
    bool asleep = atomic_load_explicit(p->asleep, memory_order_relaxed) != DEV_AWAKE;

    if (shm_env->node->oversubscribed || (asleep && len < WORTH_WAKING))
        return false;
    return shm_call_for_help(p);
}

static void begin(struct shm_peer *p, int i)
{
    struct shm_copying *c = &p->rx.copying[i];
    struct shm_job *j = c->job = p->rx.ring ? &p->rx.ring->job[i] : &p->rx.alone[i];
    const struct dev_get *op = c->op = p->rx.gets;
    uint64_t last = atomic_load_explicit(&j->claim, memory_order_relaxed);
    size_t piece = op->len / COUNT_MAX + 1;

    if (!(p->rx.gets = op->next))
        p->rx.last_get = &p->rx.gets;
    j->from = op->addr;
    j->key = op->there ? op->key : 0;
    j->len = op->len;
    j->piece = piece < shm_chunk_later() ? shm_chunk_later() : piece;
    uint64_t number = (last >> 2 * COUNT_BITS) + 1, pieces = (op->len + j->piece - 1) / j->piece;
    atomic_store(&j->claim, number << 2 * COUNT_BITS | pieces << COUNT_BITS);
    c->left = op->len;
    p->rx.jobs++;
    c->error = 0;
    p->rx.told_sender = p->rx.ring && !op->alone && tell_sender(p, op->len);
    p->rx.since = os_time_ns();
}

static void begin_all(struct shm_peer *p)
{
    for (int i = 0; i < SHM_JOBS && p->rx.gets; i++)
        if (!p->rx.copying[i].op)
            begin(p, i);
}

static void end_job(struct shm_peer *p, struct shm_copying *c)
{
    struct dev_get *op = c->op;
    int err = c->error;

    c->op = NULL;
    begin_all(p);
    op->done(op, err);
}

/* Who did not come the last time is not waited for, until he does. */
static bool expects_more(const struct shm_peer *p)
{
    return p->rx.told_sender && !p->rx.absent && os_time_ns() - p->rx.since < PATIENCE_NS;
}

/* Nobody claims more of it. */
static void give_up(struct shm_copying *c, int err)
{
    struct part x;

    c->error = err;
    while ((x = claim(c->job, SIZE_MAX)).len)
        c->left -= x.len;
}

/* Reads a part that nobody else has claimed; true when there was one. */
static bool read_part(struct shm_peer *p, struct shm_copying *c, bool alone)
{
    struct part x = claim(c->job, alone ? READ_ALONE : min(SHM_READ_MOST, c->left / 2));

    if (!x.len)
        return false;
    if (p->rx.told_sender && x.at == 0)
        p->rx.absent = true;
    int err = shm_cma_read(p->tx.inbox->pid, c->op, x.at, x.at + x.len);
    c->left -= x.len;
    if (err)
        give_up(c, err);
    if (!c->left)
        end_job(p, c);
    return true;
}

/* A part of a message that the sender wrote into the ring. */
int shm_part(struct shm_peer *p, const struct shm_part *e, uint64_t word)
{
    size_t len = shm_word_bytes(word);
    struct dev_pkt pkt;

    shm_word_pkt(word, &pkt);
    if (pkt.type >= SHM_JOBS || !p->rx.ring)
        return -EPROTO;
    struct shm_copying *c = &p->rx.copying[pkt.type];
    if (!c->op || c->job != &p->rx.ring->job[pkt.type] || len > c->left || e->at > c->op->len - len)
        return -EPROTO;
    if (c->op->memory)
        c->op->memory->scatter(c->op->memory, e->at, e->data, len);
    else
        memcpy((char *) c->op->to + e->at, e->data, len);
    p->rx.absent = false;
    p->rx.since = os_time_ns();
    c->left -= len;
    if (!c->left)
        end_job(p, c);
    return 0;
}

void shm_get(struct dev_peer *from, struct dev_get *op)
{
    struct shm_peer *p = from->priv;
    size_t at_once = op->alone ? READ_ALONE : SHARED_LEAST - 1;

    if (p->gone || op->len <= at_once) {
        op->done(op, p->gone ? -ECONNRESET : shm_cma_read(p->tx.inbox->pid, op, 0, op->len));
        return;
    }
    op->next = NULL;
    *p->rx.last_get = op;
    p->rx.last_get = &op->next;
    begin_all(p);
    if (p->rx.listed)
        return;
    p->rx.listed = true;
    p->next_receiving = receiving;
    receiving = p;
    shm_copies = true;
}

void shm_get_drop(struct shm_peer *p, int err)
{
    struct dev_get *op = p->rx.gets;

    for (int i = 0; i < SHM_JOBS; i++) {
        struct shm_copying *c = &p->rx.copying[i];
        if (!c->op)
            continue;
        c->op->next = op;
        op = c->op;
        c->op = NULL;
    }
    p->rx.gets = NULL;
    p->rx.last_get = &p->rx.gets;
    for (struct dev_get *next; op; op = next) {
        next = op->next;
        op->done(op, err);
    }
}

/* ---- the sender ------------------------------------------------------------------------------ */

void shm_help(struct shm_peer *p)
{
    if (p->helping || !p->tx.announced)
        return;
    p->helping = true;
    p->next_helping = helping;
    helping = p;
    shm_copies = true;
}

/* All of a job is claimed, or its pieces are too large for a ring. */
static bool over(const struct shm_job *j)
{
    uint64_t seen = atomic_load_explicit(&j->claim, memory_order_acquire);

    return claimed_of(seen) == pieces_of(seen) || j->piece > shm_chunk_later();
}

/* A job for us to help with: the one of the last time, while it is not over. */
static bool find_job(struct shm_peer *p)
{
    for (int i = 0; i < SHM_JOBS && !p->gone; i++) {
        if (!over(&p->tx.ring->job[p->helps]))
            return true;
        p->helps = (p->helps + 1) % SHM_JOBS;
    }
    return false;
}

/* The message that x is of, as a packet's payload. False: it is in pieces that nobody may read. */
static bool message_of(const struct shm_peer *p, struct part x, struct dev_send *message)
{
    void *from = (void *) (uintptr_t) x.from;

    *message = (struct dev_send) { .iov[0] = { from, x.at + x.len }, .iovcnt = 1 };
    if (x.key)
        message->memory = shm_env->up->memory(p->peer, x.key);
    return !x.key || message->memory;
}

/* As many pieces as there is room for. What waits for room goes first. */
static bool help(struct shm_peer *p)
{
    uint64_t start = os_time_ns();
    unsigned lines = 0;

    p->tx.stream = shm_pace_choose(&p->tx.pace);
    for (int i = 0; i < HELP_MOST && !p->tx.first && find_job(p) && shm_part_room(&p->tx); i++) {
        struct part x = claim(&p->tx.ring->job[p->helps], 0);
        struct dev_send message;
        if (!x.len)
            break;
        if (!message_of(p, x, &message)) {
            shm_lose(p, -EPROTO);
            break;
        }
        shm_write_part(p, p->helps, &message, x.at, x.len);
        lines += shm_lines(x.len);
    }
    shm_pace_note(&p->tx.pace, p->tx.stream, lines, os_time_ns() - start);
    p->tx.stream = false;
    if (lines)
        p->rx.since = os_time_ns(); /* as long it may have done the same for us */
    return lines > 0;
}

/* ---- both ------------------------------------------------------------------------------------ */

void shm_copy_end(void)
{
    receiving = helping = NULL;
    shm_copies = false;
}

static bool receives(const struct shm_peer *p)
{
    bool any = false;

    for (int i = 0; i < SHM_JOBS; i++)
        any |= p->rx.copying[i].op != NULL;
    return any;
}

/* Both have messages for each other, and are far apart: there two copies through the ring take
 * longer than one by each (1 MiB both ways 9.3 and 11.6 GB/s). Now and then it is tried. */
static bool each_its_own(const struct shm_peer *p)
{
    return p->helping && receives(p) && shm_pace_streams(&p->tx.pace) && p->rx.jobs % TRIED_AGAIN;
}

/* One part that nobody else copies. */
static bool receive(struct shm_peer *p)
{
    bool apart = each_its_own(p), more = !apart && expects_more(p), moved = false;

    for (int i = 0; i < SHM_JOBS && !more && !moved; i++)
        if (p->rx.copying[i].op)
            moved = read_part(p, &p->rx.copying[i], apart || !p->rx.told_sender);
    return moved || more;
}

static bool receive_all(void)
{
    struct shm_peer *p = receiving;
    bool moved = false;

    receiving = NULL;
    for (struct shm_peer *next; p; p = next) {
        next = p->next_receiving;
        moved |= receives(p) && receive(p);
        if (!(p->rx.listed = receives(p)))
            continue;
        p->next_receiving = receiving;
        receiving = p;
    }
    return moved;
}

static bool help_all(void)
{
    struct shm_peer **at = &helping, *p;
    bool moved = false;

    while ((p = *at)) {
        moved |= !each_its_own(p) && help(p);
        p->helping = find_job(p);
        if (p->helping)
            at = &p->next_helping;
        else
            *at = p->next_helping;
    }
    return moved;
}

bool shm_copy(void)
{
    bool received = receive_all(), helped = help_all();

    shm_copies = receiving || helping;
    return received || helped;
}
