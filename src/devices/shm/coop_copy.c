/* coop_copy.c — large messages: out of the sender's memory into the receiver's, by both of them.
 *
 * The sender writes chunks into the ring while the receiver takes them out of it: two cores at
 * once, faster than one of them with the kernel's help (CMA) at every size, near and far. But that
 * needs both, and the sender may compute. So the receiver writes into the ring's head what is to be
 * copied and tells the sender; each claims chunks, and the receiver reads his by CMA, when none
 * have come for a moment. Who is busy elsewhere leaves all to the other: nobody waits for a chunk
 * that has not been begun, and one that is claimed for the ring has room there.
 *
 * A claim is a compare-and-swap on one word that says all of a job that a claim depends on:
 *
 *   63 .. 44 number of the job | 43 .. 22 chunks | 21 .. 0 chunks claimed
 *
 * One that belongs to an earlier job, and so to memory that may be in other use, fails; and none is
 * made of a job whose other fields are being written, since the word is that of the last one, all
 * of whose pieces are claimed. */
#include <errno.h>
#include <string.h>
#include "shm.h"

enum {
    COOP_LEAST = 12 << 10,    /* bytes worth a second hand */
    WORTH_WAKING = 512 << 10, /* bytes that take longer than a wake-up */
    PATIENCE_NS = 3000,       /* for a piece, before the receiver reads */
    OTHER_WAY = 32,           /* jobs, of which one goes the way that seemed worse */
    CHUNKS_PER_POLL = 4,      /* pieces in one poll */
    READ_ALONE = 1 << 20,     /* bytes with one call: each costs as much as reading 8 KiB */
    COUNT_BITS = 22,
    COUNT_MAX = (1 << COUNT_BITS) - 1,
};

bool shm_coop_active;

static struct shm_peer *reading, *writing; /* peers whose messages we read; whom we help */

static size_t min(size_t a, size_t b) { return a < b ? a : b; }

static uint32_t chunks_of(uint64_t claim) { return claim >> COUNT_BITS & COUNT_MAX; }
static uint32_t claimed_of(uint64_t claim) { return claim & COUNT_MAX; }

struct chunks {
    uint64_t from, key; /* of the message; see shm_coop */
    uint64_t at, len;   /* bytes of it; len 0: none */
};

/* The next chunks of the job, so many that they are no more than `most` bytes, but one at least.
 * What is read of the job before the claim is true when the claim succeeds. */
static struct chunks claim(struct shm_coop *s, size_t most)
{
    uint64_t seen = atomic_load_explicit(&s->claim, memory_order_acquire);

    while (claimed_of(seen) < chunks_of(seen)) {
        uint64_t chunk = s->chunk, n = most / chunk ? most / chunk : 1, at;
        n = min(n, chunks_of(seen) - claimed_of(seen));
        at = claimed_of(seen) * chunk;
        const struct chunks x = { s->from, s->key, at, min(n * chunk, s->len - at) };
        if (atomic_compare_exchange_weak(&s->claim, &seen, seen + n))
            return x;
    }
    return (struct chunks) { .len = 0 };
}

/* ---- the receiver ---------------------------------------------------------------------------- */

static bool ask_sender(struct shm_peer *p, size_t len)
{
    bool asleep = atomic_load_explicit(p->asleep, memory_order_relaxed) != DEV_AWAKE;

    if (shm_env->node->oversubscribed || (asleep && len < WORTH_WAKING))
        return false;
    return shm_coop_call(p);
}

static void begin(struct shm_peer *p, int i)
{
    struct shm_coop_rx *c = &p->rx.coop[i];
    struct shm_coop *s = c->shared = p->rx.ring ? &p->rx.ring->coop[i] : &p->rx.own_coop[i];
    const struct dev_get *op = c->op = p->rx.gets;
    uint64_t last = atomic_load_explicit(&s->claim, memory_order_relaxed);
    size_t chunk = op->len / COUNT_MAX + 1;

    if (!(p->rx.gets = op->next))
        p->rx.last_get = &p->rx.gets;
    s->from = op->addr;
    s->key = op->there ? op->key : 0;
    s->len = op->len;
    s->chunk = chunk < shm_frag_later() ? shm_frag_later() : chunk;
    uint64_t number = (last >> 2 * COUNT_BITS) + 1, chunks = (op->len + s->chunk - 1) / s->chunk;
    atomic_store(&s->claim, number << 2 * COUNT_BITS | chunks << COUNT_BITS);
    c->left = op->len;
    p->rx.coops++;
    c->error = 0;
    p->rx.asked_sender = p->rx.ring && !op->alone && ask_sender(p, op->len);
    p->rx.progress_ns = os_time_ns();
}

static void begin_all(struct shm_peer *p)
{
    for (int i = 0; i < SHM_COOPS && p->rx.gets; i++)
        if (!p->rx.coop[i].op)
            begin(p, i);
}

static void end_coop(struct shm_peer *p, struct shm_coop_rx *c)
{
    struct dev_get *op = c->op;
    int err = c->error;

    c->op = NULL;
    begin_all(p);
    op->done(op, err);
}

/* Who did not come the last time is not waited for, until he does. */
static bool awaits_sender(const struct shm_peer *p)
{
    return p->rx.asked_sender && !p->rx.sender_absent
           && os_time_ns() - p->rx.progress_ns < PATIENCE_NS;
}

/* Nobody claims more of it. */
static void abandon(struct shm_coop_rx *c, int err)
{
    struct chunks x;

    c->error = err;
    while ((x = claim(c->shared, SIZE_MAX)).len)
        c->left -= x.len;
}

/* Reads a part that nobody else has claimed; true when there was one. */
static bool read_chunks(struct shm_peer *p, struct shm_coop_rx *c, bool alone)
{
    struct chunks x = claim(c->shared, alone ? READ_ALONE : min(SHM_READ_MOST, c->left / 2));

    if (!x.len)
        return false;
    if (p->rx.asked_sender && x.at == 0)
        p->rx.sender_absent = true;
    int err = shm_cma_read(p->tx.fifo->pid, c->op, x.at, x.at + x.len);
    c->left -= x.len;
    if (err)
        abandon(c, err);
    if (!c->left)
        end_coop(p, c);
    return true;
}

/* A part of a message that the sender wrote into the ring. */
int shm_coop_arrived(struct shm_peer *p, const struct shm_coop_frag *e, uint64_t word)
{
    size_t len = shm_word_bytes(word);
    struct dev_pkt pkt;

    shm_word_pkt(word, &pkt);
    if (pkt.type >= SHM_COOPS || !p->rx.ring)
        return -EPROTO;
    struct shm_coop_rx *c = &p->rx.coop[pkt.type];
    if (!c->op || c->shared != &p->rx.ring->coop[pkt.type] || len > c->left
        || e->at > c->op->len - len)
        return -EPROTO;
    if (c->op->memory)
        c->op->memory->scatter(c->op->memory, e->at, e->data, len);
    else
        memcpy((char *) c->op->to + e->at, e->data, len);
    p->rx.sender_absent = false;
    p->rx.progress_ns = os_time_ns();
    c->left -= len;
    if (!c->left)
        end_coop(p, c);
    return 0;
}

void shm_get(struct dev_peer *from, struct dev_get *op)
{
    struct shm_peer *p = from->priv;
    size_t at_once = op->alone ? READ_ALONE : COOP_LEAST - 1;

    if (p->gone || op->len <= at_once) {
        op->done(op, p->gone ? -ECONNRESET : shm_cma_read(p->tx.fifo->pid, op, 0, op->len));
        return;
    }
    op->next = NULL;
    *p->rx.last_get = op;
    p->rx.last_get = &op->next;
    begin_all(p);
    if (p->rx.coop_listed)
        return;
    p->rx.coop_listed = true;
    p->next_coop_rx = reading;
    reading = p;
    shm_coop_active = true;
}

/* ---- the sender ------------------------------------------------------------------------------ */

void shm_coop_join(struct shm_peer *p)
{
    if (p->coop_tx_listed || !p->tx.announced)
        return;
    p->coop_tx_listed = true;
    p->next_coop_tx = writing;
    writing = p;
    shm_coop_active = true;
}

/* All of a job is claimed, or its pieces are too large for a ring. */
static bool all_claimed(const struct shm_coop *s)
{
    uint64_t seen = atomic_load_explicit(&s->claim, memory_order_acquire);

    return claimed_of(seen) == chunks_of(seen) || s->chunk > shm_frag_later();
}

/* A job for us to help with: the one of the last time, while it is not over. */
static bool find_coop(struct shm_peer *p)
{
    for (int i = 0; i < SHM_COOPS && !p->gone; i++) {
        if (!all_claimed(&p->tx.ring->coop[p->coop_tx_at]))
            return true;
        p->coop_tx_at = (p->coop_tx_at + 1) % SHM_COOPS;
    }
    return false;
}

/* The message that x is of, as a packet's payload. False: it is in pieces that nobody may read. */
static bool message_of(const struct shm_peer *p, struct chunks x, struct dev_send *message)
{
    void *from = (void *) (uintptr_t) x.from;

    *message = (struct dev_send) { .iov[0] = { from, x.at + x.len }, .iovcnt = 1 };
    if (x.key)
        message->memory = shm_env->up->memory(p->peer, x.key);
    return !x.key || message->memory;
}

/* As many pieces as there is room for. What waits for room goes first. */
static bool write_chunks(struct shm_peer *p)
{
    uint64_t start = os_time_ns();
    unsigned lines = 0;

    p->tx.stream = shm_pace_choose(&p->tx.pace);
    for (int i = 0;
         i < CHUNKS_PER_POLL && !p->tx.first && find_coop(p) && shm_coop_has_credit(&p->tx); i++) {
        struct chunks x = claim(&p->tx.ring->coop[p->coop_tx_at], 0);
        struct dev_send message;
        if (!x.len)
            break;
        if (!message_of(p, x, &message)) {
            shm_peer_lose(p, -EPROTO);
            break;
        }
        shm_coop_write(p, p->coop_tx_at, &message, x.at, x.len);
        lines += shm_lines(x.len);
    }
    shm_pace_note(&p->tx.pace, p->tx.stream, lines, os_time_ns() - start);
    p->tx.stream = false;
    if (lines)
        p->rx.progress_ns = os_time_ns(); /* as long it may have done the same for us */
    return lines > 0;
}

/* ---- both ------------------------------------------------------------------------------------ */

void shm_coop_close(void)
{
    reading = writing = NULL;
    shm_coop_active = false;
}

static bool is_reading(const struct shm_peer *p)
{
    bool any = false;

    for (int i = 0; i < SHM_COOPS; i++)
        any |= p->rx.coop[i].op != NULL;
    return any;
}

/* Both have messages for each other, and are far apart: there two copies through the ring take
 * longer than one by each (1 MiB both ways 9.3 and 11.6 GB/s). Now and then it is tried. */
static bool each_reads_its_own(const struct shm_peer *p)
{
    return p->coop_tx_listed && is_reading(p) && shm_pace_streams(&p->tx.pace)
           && p->rx.coops % OTHER_WAY;
}

/* One part that nobody else copies. */
static bool read_some(struct shm_peer *p)
{
    bool apart = each_reads_its_own(p), more = !apart && awaits_sender(p), moved = false;

    for (int i = 0; i < SHM_COOPS && !more && !moved; i++)
        if (p->rx.coop[i].op)
            moved = read_chunks(p, &p->rx.coop[i], apart || !p->rx.asked_sender);
    return moved || more;
}

static bool poll_receives(void)
{
    struct shm_peer *p = reading;
    bool moved = false;

    reading = NULL;
    for (struct shm_peer *next; p; p = next) {
        next = p->next_coop_rx;
        moved |= is_reading(p) && read_some(p);
        if (!(p->rx.coop_listed = is_reading(p)))
            continue;
        p->next_coop_rx = reading;
        reading = p;
    }
    return moved;
}

static bool poll_sends(void)
{
    struct shm_peer **at = &writing, *p;
    bool moved = false;

    while ((p = *at)) {
        moved |= !each_reads_its_own(p) && write_chunks(p);
        p->coop_tx_listed = find_coop(p);
        if (p->coop_tx_listed)
            at = &p->next_coop_tx;
        else
            *at = p->next_coop_tx;
    }
    return moved;
}

bool shm_coop_poll(void)
{
    bool received = poll_receives(), wrote = poll_sends();

    shm_coop_active = reading || writing;
    return received || wrote;
}
