/* coop_copy.c — cooperative copies: a large message is copied by both its sender and its
 * receiver.
 *
 * The message is divided into chunks. The sender writes chunks into the ring while the receiver
 * copies them out: two cores at once. At every size, between near and far cores, that is faster
 * than one core that reads by CMA. But it needs both processes, and the sender may be computing.
 * So the receiver describes the copy in the head of the ring (struct shm_coop) and asks the
 * sender to take part. Each of the two claims chunks: the sender writes its chunks into the
 * ring, and the receiver reads its own by CMA when no fragment has come for a moment. A process
 * that is busy elsewhere leaves all chunks to the other one: a chunk is claimed only when its
 * copy begins, and the sender claims one only when it has credit for all of it.
 *
 * A claim is a compare-and-swap on one word, which holds all of the copy that a claim depends
 * on:
 *
 *   63 .. 44 number of the copy | 43 .. 22 chunks | 21 .. 0 chunks claimed
 *
 * A claim for an earlier copy, whose memory may be in other use, fails as the number differs.
 * While the receiver writes the other fields for a new copy, the word is still that of the last
 * one, all of whose chunks are claimed: so no claim succeeds then. */
#include <errno.h>
#include <string.h>
#include "devices/shm/cma.h"
#include "devices/shm/coop_copy.h"
#include "devices/shm/ring.h"
#include "devices/shm/tx.h"

enum {
    COOP_LEAST = 12 << 10,    /* bytes that are worth a cooperative copy */
    WORTH_WAKING = 512 << 10, /* bytes that take longer to copy than a wake-up takes */
    PATIENCE_NS = 3000,       /* without a fragment, before the receiver reads itself */
    OTHER_WAY = 32,           /* one of so many copies takes the way that seems worse */
    CHUNKS_PER_POLL = 4,      /* most chunks that a sender writes in one poll */
    READ_ALONE = 1 << 20,     /* bytes with one call: a call costs as much as reading 8 KiB */
    COUNT_BITS = 22,
    COUNT_MAX = (1 << COUNT_BITS) - 1,
};

bool shm_coop_active;

/* Lists of peers: senders of copies that are received here, and receivers of chunks written
 * here. */
static struct shm_peer *reading, *writing;

static size_t min_size(size_t a, size_t b) { return a < b ? a : b; }

static uint32_t chunks_of(uint64_t claim) { return claim >> COUNT_BITS & COUNT_MAX; }
static uint32_t claimed_of(uint64_t claim) { return claim & COUNT_MAX; }

struct chunks {         /* claimed, one behind the other */
    uint64_t from, key; /* of the message; see shm_coop */
    uint64_t at, len;   /* offset and length, bytes; len 0: none are left */
};

/* Claims the next chunks of a copy: as many as `most` bytes hold, and at least one. The fields that
 * are read before the claim belong to that copy if the claim succeeds. */
static struct chunks chunks_claim(struct shm_coop *s, size_t most)
{
    uint64_t seen = atomic_load_explicit(&s->claim, memory_order_acquire);

    while (claimed_of(seen) < chunks_of(seen)) {
        uint64_t chunk = s->chunk, n = most / chunk ? most / chunk : 1, at;
        n = min_size(n, chunks_of(seen) - claimed_of(seen));
        at = claimed_of(seen) * chunk;
        const struct chunks x = { s->from, s->key, at, min_size(n * chunk, s->len - at) };
        if (atomic_compare_exchange_weak(&s->claim, &seen, seen + n))
            return x;
    }
    return (struct chunks) { .len = 0 };
}

/* ---- the receiver ---------------------------------------------------------------------------- */

/* Asks the sender to take part, unless that is not worth it; false: it was not asked. */
static bool ask_sender(struct shm_peer *p, size_t len)
{
    bool asleep = atomic_load_explicit(p->asleep, memory_order_relaxed) != DEV_AWAKE;

    if (shm_env->node->oversubscribed || (asleep && len < WORTH_WAKING))
        return false;
    return shm_coop_call(p);
}

/* Begins the copy of the first get in the queue as number i of this pair. */
static void coop_begin(struct shm_peer *p, int i)
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
            coop_begin(p, i);
}

static void end_coop(struct shm_peer *p, struct shm_coop_rx *c)
{
    struct dev_get *op = c->op;
    int err = c->error;

    c->op = NULL;
    begin_all(p);
    op->done(op, err);
}

/* Whether the receiver leaves chunks to the sender for now. It does not wait for a sender that
 * took no part the last time, until that sender takes part again. */
static bool awaits_sender(const struct shm_peer *p)
{
    return p->rx.asked_sender && !p->rx.sender_absent
           && os_time_ns() - p->rx.progress_ns < PATIENCE_NS;
}

/* Claims all remaining chunks: the sender finds none to claim. */
static void coop_abandon(struct shm_coop_rx *c, int err)
{
    struct chunks x;

    c->error = err;
    while ((x = chunks_claim(c->shared, SIZE_MAX)).len)
        c->left -= x.len;
}

/* Claims chunks and reads them; false when all are claimed. */
static bool read_chunks(struct shm_peer *p, struct shm_coop_rx *c, bool alone)
{
    struct chunks x =
        chunks_claim(c->shared, alone ? READ_ALONE : min_size(SHM_READ_MOST, c->left / 2));

    if (!x.len)
        return false;
    if (p->rx.asked_sender && x.at == 0)
        p->rx.sender_absent = true;
    int err = shm_cma_read(p->tx.fifo->pid, c->op, x.at, x.at + x.len);
    c->left -= x.len;
    if (err)
        coop_abandon(c, err);
    if (!c->left)
        end_coop(p, c);
    return true;
}

/* A fragment of a cooperative copy has come by the ring. -EPROTO if it belongs to none. */
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
    shm_coop_active = shm_unfinished = true;
}

/* ---- the sender ------------------------------------------------------------------------------ */

void shm_coop_join(struct shm_peer *p)
{
    if (p->coop_tx_listed || !p->tx.announced)
        return;
    p->coop_tx_listed = true;
    p->next_coop_tx = writing;
    writing = p;
    shm_coop_active = shm_unfinished = true;
}

/* Nothing is left to claim for a sender: all is claimed, or the chunks are too large for a ring. */
static bool all_claimed(const struct shm_coop *s)
{
    uint64_t seen = atomic_load_explicit(&s->claim, memory_order_acquire);

    return claimed_of(seen) == chunks_of(seen) || s->chunk > shm_frag_later();
}

/* Finds a copy that has chunks to claim: first the one of the last time. */
static bool find_coop(struct shm_peer *p)
{
    for (int i = 0; i < SHM_COOPS && !p->gone; i++) {
        if (!all_claimed(&p->tx.ring->coop[p->coop_tx_at]))
            return true;
        p->coop_tx_at = (p->coop_tx_at + 1) % SHM_COOPS;
    }
    return false;
}

/* Describes the message of x as the payload of a packet. False: it is noncontiguous, and no
 * memory is exposed under that key. */
static bool message_of(const struct shm_peer *p, struct chunks x, struct dev_send *message)
{
    void *from = (void *) (uintptr_t) x.from;

    *message = (struct dev_send) { .iov[0] = { from, x.at + x.len }, .iovcnt = 1 };
    if (x.key)
        message->memory = shm_env->up->memory(p->peer, x.key);
    return !x.key || message->memory;
}

/* Writes chunks as far as there is credit. Packets that wait for credit go first. */
static bool write_chunks(struct shm_peer *p)
{
    uint64_t start = os_time_ns();
    unsigned lines = 0;

    p->tx.stream = shm_pace_choose(&p->tx.pace);
    for (int i = 0;
         i < CHUNKS_PER_POLL && !p->tx.first && find_coop(p) && shm_coop_has_credit(&p->tx); i++) {
        struct chunks x = chunks_claim(&p->tx.ring->coop[p->coop_tx_at], 0);
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
    if (lines) /* the peer may have done the same for this process meanwhile */
        p->rx.progress_ns = os_time_ns();
    return lines > 0;
}

/* ---- both ------------------------------------------------------------------------------------ */

void shm_coop_drop(struct shm_peer *p)
{
    struct shm_peer **r = &reading, **w = &writing;

    while (*r && *r != p)
        r = &(*r)->next_coop_rx;
    if (*r)
        *r = p->next_coop_rx;
    while (*w && *w != p)
        w = &(*w)->next_coop_tx;
    if (*w)
        *w = p->next_coop_tx;
    p->rx.coop_listed = p->coop_tx_listed = false;
}

void shm_coop_close(void)
{
    reading = writing = NULL;
    shm_coop_active = false;
}

/* A cooperative copy from this peer is under way. */
static bool is_reading(const struct shm_peer *p)
{
    bool any = false;

    for (int i = 0; i < SHM_COOPS; i++)
        any |= p->rx.coop[i].op != NULL;
    return any;
}

/* The two have messages for each other and are far apart. Then it is faster if each receiver reads
 * its own message by CMA than if both directions go through rings (1 MiB both ways: 11.6 and 9.3
 * GB/s). Now and then the other way is tried. */
static bool each_reads_its_own(const struct shm_peer *p)
{
    return p->coop_tx_listed && is_reading(p) && shm_pace_streams(&p->tx.pace)
           && p->rx.coops % OTHER_WAY;
}

/* Reads some chunks that the sender does not copy. True: something moved, or is about to come. */
static bool read_some(struct shm_peer *p)
{
    bool apart = each_reads_its_own(p), more = !apart && awaits_sender(p), moved = false;

    for (int i = 0; i < SHM_COOPS && !more && !moved; i++)
        if (p->rx.coop[i].op)
            moved = read_chunks(p, &p->rx.coop[i], apart || !p->rx.asked_sender);
    return moved || more;
}

/* Serves each peer in the list `reading`. */
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

/* Serves each peer in the list `writing`. */
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
