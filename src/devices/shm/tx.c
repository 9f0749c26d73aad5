/* tx.c — the path out: packets go through the ring to a peer, or through its receive FIFO while
 * there is no ring. */
#include <errno.h>
#include <string.h>
#include "devices/shm/fifo.h"
#include "devices/iov.h"
#include "devices/shm/ring.h"
#include "devices/shm/tx.h"

enum {
    RING_AFTER = 4,                /* entries through the FIFO, before a pair gets a ring */
    ASK_AGAIN = 256,               /* the same before a guest asks again */
    RINGS_MOST_OVERSUBSCRIBED = 4, /* rings of one reader, for entries that would fit into a cell */
    RINGS_MOST = 32,
    MANY = 4 * SHM_FRAG_MAX, /* bytes; then fragments get longer, and are worth timing */
};

struct shm_peer *shm_sending;
int shm_refused;
static const struct dev_pkt none;

/* ---- through the FIFO ------------------------------------------------------------------------ */

/* A cell; or NULL, then this process is woken when one is free. The reader frees a cell before it
 * looks at the flag: so look again after the flag is set. */
static struct shm_cell *claim_cell(struct shm_peer *p)
{
    struct shm_fifo *fifo = p->tx.fifo;
    int index = p->peer->node->index;
    struct shm_cell *c = shm_fifo_claim(fifo, index);

    if (c)
        return c;
    if (!atomic_load(&fifo->writer_waits))
        atomic_store(&fifo->writer_waits, 1);
    return shm_fifo_claim(fifo, index);
}

void shm_set_refused(struct shm_tx *t, bool refused)
{
    shm_refused += refused - t->refused;
    t->refused = refused;
    t->refused_at = t->count;
}

/* Makes a ring and announces it: the entry SHM_RING is the last one that goes through the FIFO.
 * False: no memory, or no cell for that entry yet. */
static bool open_ring(struct shm_peer *p)
{
    const struct dev_node *node = p->peer->node;
    struct shm_tx *t = &p->tx;

    if (!t->ring) {
        uint64_t offset = shm_ring_take(node);
        shm_set_refused(t, offset == 0);
        if (t->refused)
            return false; /* the FIFO serves, slower */
        t->ring = shm_ring_at(node, offset);
        shm_ring_populate(t->ring, shm_lines_each);
        t->ring->lines = shm_lines_each;
        atomic_fetch_add_explicit(&t->fifo->rings, 1, memory_order_relaxed);
        t->at = t->ring->line;
        t->end = t->at + shm_lines_each;
        t->credit = -SHM_CLOSED;
        t->free = (int) shm_lines_each - 2;
    }
    struct shm_cell *c = claim_cell(p);
    if (!c)
        return false;
    struct shm_frag *e = (struct shm_frag *) (void *) c->entry;
    uint64_t offset = (uint64_t) ((char *) t->ring - node->base);
    atomic_store_explicit(&e->word, shm_word(SHM_RING, &none, sizeof offset), memory_order_relaxed);
    memcpy(e->data, &offset, sizeof offset);
    shm_fifo_publish(c);
    t->announced = true;
    shm_set_direct(p);
    return true;
}

/* Whether an entry of this size asks for a ring. The polls of the reader look at a line of each
 * ring, which costs most where other processes have used the core meanwhile (random pairs of 32
 * processes on two cores: 233 us with a ring for each pair, 49 us with four). So rings beyond a
 * few are made only for entries that do not fit into a cell. */
static bool wants_ring(const struct shm_peer *p, size_t bytes)
{
    const struct shm_tx *t = &p->tx;
    unsigned rings = atomic_load_explicit(&t->fifo->rings, memory_order_relaxed);
    unsigned most = shm_env->node->oversubscribed ? RINGS_MOST_OVERSUBSCRIBED : RINGS_MOST;

    if (t->ring) /* it is counted already, and its announcement waits for a cell */
        return true;
    if (t->refused && (p->peer->node == shm_env->node || t->count - t->refused_at < ASK_AGAIN))
        return false; /* guests that leave give rings back; those of our job stay */
    return bytes > SHM_CELL_BYTES || (t->count >= RING_AFTER && rings < most);
}

/* ---- entries --------------------------------------------------------------------------------- */

static uint64_t write_plain(void *at, const struct dev_pkt *pkt, const void *data, size_t bytes)
{
    struct shm_plain *e = at;

    e->ctx = pkt->ctx;
    e->rank = pkt->rank;
    e->tag = pkt->tag;
    if (bytes)
        memcpy(e->data, data, bytes);
    return shm_word(SHM_PLAIN, pkt, bytes);
}

/* data is NULL when the payload is written already. */
static uint64_t write_full(void *at, const struct dev_pkt *pkt, const void *data, size_t bytes)
{
    struct shm_full *e = at;

    e->pkt = *pkt;
    if (bytes && data)
        memcpy(e->data, data, bytes);
    return shm_word(SHM_FULL, pkt, bytes);
}

/* Sends one entry through the FIFO; false when that is full. */
static bool put_in_fifo(struct shm_peer *p, const struct dev_pkt *pkt, const void *data,
                        size_t bytes)
{
    struct shm_cell *c = claim_cell(p);

    if (!c)
        return false;
    struct shm_frag *e = (struct shm_frag *) (void *) c->entry;
    uint64_t word =
        pkt->flags & DEV_PLAIN ? write_plain(e, pkt, data, bytes) : write_full(e, pkt, data, bytes);
    atomic_store_explicit(&e->word, word, memory_order_relaxed);
    shm_fifo_publish(c);
    p->tx.count++;
    shm_wake(p);
    return true;
}

/* inject() for each packet and state of the pair. */
static int inject_any(struct shm_peer *p, const struct dev_pkt *pkt, const void *data)
{
    struct shm_tx *t = &p->tx;
    bool plain = pkt->flags & DEV_PLAIN;
    size_t bytes = pkt->payload;
    size_t size = bytes + (plain ? sizeof(struct shm_plain) : sizeof(struct shm_full));

    if (t->first || p->gone)
        return p->gone ? -ECONNRESET : DEV_AGAIN;
    if (!t->announced && (!wants_ring(p, size) || !open_ring(p))) {
        bool fits = size <= SHM_CELL_BYTES;
        return fits && put_in_fifo(p, pkt, data, bytes) ? 0 : DEV_AGAIN;
    }
    unsigned n = shm_lines(size);
    void *e = shm_ring_reserve(t, n);
    if (!e)
        return DEV_AGAIN;
    uint64_t word = plain ? write_plain(e, pkt, data, bytes) : write_full(e, pkt, data, bytes);
    shm_ring_publish(t, n, word);
    shm_wake(p);
    return 0;
}

/* Copies up to a line without a call, in words that may overlap. */
static inline void copy_small(char *to, const char *from, size_t n)
{
    if (__builtin_expect(n == 8, 1)) {
        memcpy(to, from, 8);
    } else if (n > 8) {
        memcpy(to, from, 8);
        for (size_t i = 8; i + 8 <= n; i += 8)
            memcpy(to + i, from + i, 8);
        memcpy(to + n - 8, from + n - 8, 8);
    } else if (n >= 4) {
        memcpy(to, from, 4);
        memcpy(to + n - 4, from + n - 4, 4);
    } else {
        for (size_t i = 0; i < n; i++)
            to[i] = from[i];
    }
}

int shm_inject(struct dev_peer *to, const struct dev_pkt *pkt, const void *data)
{
    return inject_any(to->priv, pkt, data);
}

__attribute__((noinline)) static int inject_packet(struct shm_peer *p, uint32_t ctx, int32_t rank,
                                                   int32_t tag, const void *data, size_t len)
{
    const struct dev_pkt pkt = {
        .payload = len, .flags = DEV_PLAIN, .ctx = ctx, .rank = rank, .tag = tag
    };

    return inject_any(p, &pkt, data);
}

/* Apart, so that its caller needs no stack frame. */
__attribute__((noinline)) static int peer_wake(const struct shm_peer *p)
{
    p->peer->node->wake(p->peer->node, p->peer->local);
    return 0;
}

/* The path of a small message through a ring with credit: all of it is inline, without a stack
 * frame. */
int shm_inject_plain(struct dev_peer *to, uint32_t ctx, int32_t rank, int32_t tag, const void *data,
                     size_t len)
{
    enum { SMALL = OS_LINE - sizeof(struct shm_plain) };
    const uint64_t word =
        (uint64_t) SHM_PLAIN << SHM_WORD_KIND | (uint64_t) DEV_PLAIN << SHM_WORD_FLAGS;
    struct shm_peer *p = to->priv;
    struct shm_tx *t = &p->tx;
    struct shm_plain *e = (struct shm_plain *) (void *) t->at;

    if (__builtin_expect(t->credit <= 0 || len > SMALL, 0))
        return inject_packet(p, ctx, rank, tag, data, len);
    e->ctx = ctx;
    e->rank = rank;
    e->tag = tag;
    copy_small(e->data, data, len);
    shm_ring_publish(t, 1, word | len);
    if (__builtin_expect(atomic_load_explicit(p->asleep, memory_order_relaxed) != DEV_AWAKE, 0))
        return peer_wake(p);
    return 0;
}

/* ---- long messages --------------------------------------------------------------------------- */

/* Most bytes of the fragment that begins at this byte of a message. */
static size_t frag_at(size_t at) { return at < MANY ? SHM_FRAG_MAX : shm_frag_later(); }

/* Copies n bytes of the payload, from byte `at` on, into an entry. */
static void write_bytes(const struct shm_tx *t, void *entry, char *to, const struct dev_send *op,
                        size_t at, size_t n)
{
    static char chunk[SHM_FRAG_LATER];
    bool one = op->iovcnt == 1 && !op->memory;
    const char *from = one ? (const char *) op->iov->iov_base + at : chunk;

    if (one && !t->stream) {
        memcpy(to, from, n);
    } else if (one) {
        shm_stream(entry, to, from, n);
    } else if (t->stream) { /* streaming needs contiguous memory */
        iov_gather(op, at, chunk, n);
        shm_stream(entry, to, chunk, n);
    } else {
        iov_gather(op, at, to, n);
    }
}

/* What is written past the cache needs no prefetched lines. */
static void publish_long(struct shm_tx *t, unsigned n, uint64_t word)
{
    if (t->stream)
        shm_ring_clear(t, shm_ring_publish_word(t, n, word));
    else
        shm_ring_publish(t, n, word);
}

/* ---- fragments of cooperative copies --------------------------------------------------------- */

bool shm_coop_call(struct shm_peer *p)
{
    if (!p->tx.announced || p->gone || !shm_ring_reserve(&p->tx, 1))
        return false;
    shm_ring_publish(&p->tx, 1, shm_word(SHM_COOP_CALL, &none, 0));
    shm_wake(p);
    return true;
}

/* Each fragment may take one line more than its bytes, and one may leave the end of the ring
 * unused. */
bool shm_coop_has_credit(struct shm_tx *t)
{
    size_t most = shm_frag_later();
    unsigned entries = (unsigned) (most / SHM_FRAG_MAX) + 1;

    return shm_ring_has_credit(t, 2 * shm_lines(most) + entries);
}

void shm_coop_write(struct shm_peer *p, int coop, const struct dev_send *message, size_t at,
                    size_t len)
{
    const struct dev_pkt pkt = { .type = (uint8_t) coop };
    struct shm_tx *t = &p->tx;

    for (size_t n; len; at += n, len -= n) {
        n = len < frag_at(at) ? len : frag_at(at);
        unsigned lines = shm_lines(sizeof(struct shm_coop_frag) + n);
        struct shm_coop_frag *e = shm_ring_reserve(t, lines);
        e->at = at;
        write_bytes(t, e, e->data, message, at, n);
        publish_long(t, lines, shm_word(SHM_COOP_FRAG, &pkt, n));
        shm_wake(p);
    }
}

/* ---- packets in fragments -------------------------------------------------------------------- */

struct frag {
    size_t head, at, bytes; /* bytes of the entry's head; offset and length in the payload */
};

static struct frag next_frag(const struct dev_send *op, size_t space)
{
    size_t head = op->sent ? sizeof(struct shm_frag) : sizeof(struct shm_full);
    size_t at = op->sent ? op->sent - 1 : 0, left = op->pkt.payload - at;
    size_t most = space < frag_at(at) ? space - head : frag_at(at);

    return (struct frag) { head, at, left < most ? left : most };
}

/* Returns the word of the entry. */
static uint64_t write_frag(const struct shm_tx *t, void *entry, const struct dev_send *op,
                           struct frag x)
{
    write_bytes(t, entry, (char *) entry + x.head, op, x.at, x.bytes);
    if (!op->sent)
        return write_full(entry, &op->pkt, NULL, x.bytes);
    return shm_word(SHM_FRAG, &op->pkt, x.bytes);
}

/* Counts what was sent; true when all is. op->sent is one more than the payload bytes sent, so
 * that 0 says that the header is not sent either. */
static bool send_op_advance(struct dev_send *op, size_t bytes)
{
    op->sent += bytes + !op->sent;
    return op->sent - 1 == op->pkt.payload;
}

/* Writes the next fragment: 1 when it was the last, 0 when there is more, -1 when there is no
 * credit or no cell. */
static int send_frag(struct shm_peer *p, struct dev_send *op)
{
    struct shm_tx *t = &p->tx;

    if (!t->announced && wants_ring(p, sizeof(struct shm_full) + op->pkt.payload) && !op->sent)
        (void) open_ring(p);
    if (t->announced) {
        struct frag x = next_frag(op, SIZE_MAX);
        unsigned n = shm_lines(x.head + x.bytes);
        void *e = shm_ring_reserve(t, n);
        if (!e)
            return -1;
        publish_long(t, n, write_frag(t, e, op, x));
        return send_op_advance(op, x.bytes);
    }
    if (t->ring) /* its announcement waits for a cell */
        return -1;
    struct shm_cell *c = claim_cell(p);
    if (!c)
        return -1;
    struct frag x = next_frag(op, SHM_CELL_BYTES);
    struct shm_frag *e = (struct shm_frag *) (void *) c->entry;
    atomic_store_explicit(&e->word, write_frag(t, e, op, x), memory_order_relaxed);
    shm_fifo_publish(c);
    t->count++;
    return send_op_advance(op, x.bytes);
}

/* Writes as many fragments as there is credit for. Returns the last result of send_frag(), and sets
 * moved when a fragment was written. */
static int send_frags(struct shm_peer *p, struct dev_send *op, bool *moved)
{
    struct shm_tx *t = &p->tx;
    bool pace = t->announced && op->pkt.payload >= MANY;
    uint64_t start = pace ? os_time_ns() : 0, before = op->sent;
    int rc;

    t->stream = pace && shm_pace_choose(&t->pace);
    while ((rc = send_frag(p, op)) >= 0) {
        *moved = true;
        shm_wake(p);
        if (rc)
            break;
    }
    if (pace)
        shm_pace_note(&t->pace, t->stream, shm_lines(op->sent - before), os_time_ns() - start);
    t->stream = false;
    return rc;
}

/* Writes as much of the queue as there is credit for; true when anything was written. */
static bool send_queue_push(struct shm_peer *p)
{
    struct shm_tx *t = &p->tx;
    bool moved = false;

    while (t->first) {
        struct dev_send *op = t->first;
        if (send_frags(p, op, &moved) < 0)
            break;
        if (!(t->first = op->next))
            t->last = &t->first;
        op->done(op, 0);
    }
    return moved;
}

/* Lists a peer in shm_sending when packets wait. A peer is listed once: done() may send again,
 * to this peer or another, and list it before its caller does. */
static void sending_list_add(struct shm_peer *p)
{
    shm_set_direct(p);
    if (!p->tx.first || p->listed)
        return;
    p->listed = true;
    p->next_sending = shm_sending;
    shm_sending = p;
    shm_unfinished = true;
}

void shm_send(struct dev_peer *to, struct dev_send *op)
{
    struct shm_peer *p = to->priv;
    bool idle = !p->tx.first;

    if (p->gone) {
        op->done(op, -ECONNRESET);
        return;
    }
    op->next = NULL;
    *p->tx.last = op;
    p->tx.last = &op->next;
    shm_set_direct(p);
    if (idle)
        (void) send_queue_push(p);
    sending_list_add(p);
}

bool shm_flush(void)
{
    struct shm_peer *p = shm_sending, *next;
    bool moved = false;

    shm_sending = NULL;
    for (; p; p = next) {
        next = p->next_sending;
        p->listed = false;
        moved |= send_queue_push(p);
        sending_list_add(p);
    }
    return moved;
}

void shm_sending_drop(struct shm_peer *p)
{
    struct shm_peer **at = &shm_sending;

    while (*at && *at != p)
        at = &(*at)->next_sending;
    if (*at)
        *at = p->next_sending;
    p->listed = false;
}
