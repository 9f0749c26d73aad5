/* rx.c — the path in: entries of rings and of the receive FIFO become packets for ADI3. */
#include <errno.h>
#include "devices/shm/coop_copy.h"
#include "devices/shm/fifo.h"
#include "devices/iov.h"
#include "devices/shm/ring.h"
#include "devices/shm/rx.h"

enum { AT_ONCE = 32 }; /* entries of one ring, or of the FIFO, in one poll */

/* The last packet was what the process waits for. Then the poll ends: the next line would have to
 * come from the writer's core, which takes time. */
static bool wait_over;

/* Copies the next bytes of a payload to the target. What the target has no room for is dropped. */
static void target_append(struct shm_peer *p, const char *data, size_t bytes)
{
    struct shm_rx *r = &p->rx;

    iov_scatter(&r->target, r->got, data, bytes);
    r->got += bytes;
    if (r->got < r->payload)
        return;
    r->partial = false;
    shm_env->up->recv_end(&r->target, 0);
}

static void receive_full(struct shm_peer *p, const struct shm_full *e, size_t bytes)
{
    struct shm_rx *r = &p->rx;

    if (bytes > e->pkt.payload || r->partial) {
        shm_peer_lose(p, -EPROTO);
        return;
    }
    if (bytes == e->pkt.payload) {
        int rc = shm_env->up->recv(p->peer, &e->pkt, e->data);
        wait_over = rc > 0;
        if (rc < 0)
            shm_peer_lose(p, rc);
        return;
    }
    r->payload = e->pkt.payload;
    r->got = 0;
    r->target = (struct dev_target) { .iovcnt = 0 };
    int rc = shm_env->up->recv_begin(p->peer, &e->pkt, &r->target);
    if (rc < 0) {
        shm_peer_lose(p, rc);
        return;
    }
    r->partial = true;
    target_append(p, e->data, bytes);
}

static void receive_plain(struct shm_peer *p, const struct shm_plain *e, uint64_t word)
{
    struct dev_pkt pkt;

    pkt.payload = shm_word_bytes(word);
    shm_word_pkt(word, &pkt);
    pkt.pad = 0;
    pkt.ctx = e->ctx;
    pkt.rank = e->rank;
    pkt.tag = e->tag;
    int rc = shm_env->up->recv(p->peer, &pkt, e->data);
    wait_over = rc > 0;
    if (__builtin_expect(rc < 0, 0))
        shm_peer_lose(p, rc);
}

static void receive_entry(struct shm_peer *from, const void *entry, uint64_t word)
{
    const struct shm_frag *f = entry;

    switch (shm_word_kind(word)) {
    case SHM_PLAIN:
        receive_plain(from, entry, word);
        return;
    case SHM_FULL:
        receive_full(from, entry, shm_word_bytes(word));
        return;
    case SHM_FRAG:
        if (from->rx.partial && shm_word_bytes(word) <= from->rx.payload - from->rx.got) {
            target_append(from, f->data, shm_word_bytes(word));
            return;
        }
        break;
    case SHM_COOP_FRAG:
        if (!shm_coop_arrived(from, entry, word))
            return;
        break;
    case SHM_COOP_CALL:
        shm_coop_join(from);
        return;
    case SHM_WRAP:
    case SHM_RING:
        break;
    }
    shm_peer_lose(from, -EPROTO);
}

static size_t entry_bytes(uint64_t word)
{
    static const uint8_t head[] = { [SHM_PLAIN] = sizeof(struct shm_plain),
                                    [SHM_FULL] = sizeof(struct shm_full),
                                    [SHM_FRAG] = sizeof(struct shm_frag),
                                    [SHM_COOP_FRAG] = sizeof(struct shm_coop_frag),
                                    [SHM_COOP_CALL] = sizeof(struct shm_frag) };

    return head[shm_word_kind(word)] + shm_word_bytes(word);
}

/* Reads an entry that is not a plain packet in one line. False when the ring is no longer read. */
static bool read_entry(struct shm_peer *p, const struct shm_line *line, uint64_t word)
{
    struct shm_rx *r = &p->rx;

    if (shm_word_kind(word) == SHM_WRAP) {
        r->consumed += r->lines - r->pos;
        r->pos = 0;
        return true;
    }
    bool entry = shm_word_kind(word) <= SHM_COOP_CALL && shm_word_bytes(word) <= SHM_FRAG_LATER;
    unsigned lines = entry ? shm_lines(entry_bytes(word)) : 0;
    if (!entry || lines > r->lines - r->pos) {
        shm_peer_lose(p, -EPROTO); /* the ring has been written over */
        return false;
    }
    receive_entry(p, line, word);
    r->consumed += lines;
    r->pos = r->pos + lines == r->lines ? 0 : r->pos + lines;
    return r->ring; /* NULL when the peer has broken the protocol */
}

static bool poll_ring(struct shm_peer *p)
{
    const uint64_t one_line = OS_LINE - sizeof(struct shm_plain);
    struct shm_rx *r = &p->rx;
    const unsigned batch = r->lines / SHM_BATCHES / 2;
    int n = 0;

    wait_over = false;
    for (; n < AT_ONCE && r->ring && !wait_over; n++) {
        struct shm_line *line = &r->ring->line[r->pos];
        uint64_t word = atomic_load_explicit(&line->word, memory_order_acquire);
        if (!word)
            break;
        if (shm_word_kind(word) == SHM_PLAIN && shm_word_bytes(word) <= one_line) {
            receive_plain(p, (const void *) line, word);
            r->consumed++;
            r->pos = r->pos + 1 == r->lines ? 0 : r->pos + 1;
        } else if (!read_entry(p, line, word)) {
            break;
        } else if (shm_word_bytes(word) > SHM_FRAG_MAX) {
            n += SHM_FRAG_LATER / SHM_FRAG_MAX - 1; /* it counts as so many others */
        }
        if (r->consumed - r->returned >= batch && r->ring)
            shm_ring_return_credit(p);
    }
    return n > 0;
}

bool shm_rx_poll_rings(void)
{
    bool moved = false;

    for (int i = 0; i < shm_nrings; i++)
        moved |= poll_ring(shm_rings[i]);
    return moved;
}

/* The peer sends through a ring from now on; p is NULL when the peer is known no more. */
static void receive_ring(struct shm_peer *p, uint64_t offset)
{
    struct shm_ring *ring = shm_ring_at(shm_env->node, offset);

    if (!p) {
        shm_ring_give(ring, ring->lines);
    } else if (p->gone) {
        p->rx.memory = ring;
        p->rx.lines = ring->lines;
    } else {
        shm_ring_populate(ring, ring->lines);
        if (!shm_rings_add(p, ring))
            shm_peer_lose(p, -ENOMEM);
    }
}

static void receive_cell(struct shm_cell *c)
{
    struct shm_peer *p = shm_peer_at(shm_fifo_writer(c));
    const struct shm_frag *e = (const void *) c->entry;
    uint64_t word = atomic_load_explicit(&e->word, memory_order_relaxed), offset;

    if (shm_word_kind(word) == SHM_RING) {
        __builtin_memcpy(&offset, e->data, sizeof offset);
        receive_ring(p, offset);
    } else if (p && !p->gone) {
        receive_entry(p, e, word);
    }
    shm_fifo_release(c);
}

__attribute__((noinline)) static bool receive_cells(void)
{
    int n = 0;

    for (struct shm_cell *c; n < AT_ONCE && (c = shm_fifo_next()); n++)
        receive_cell(c);
    shm_fifo_wake_writers();
    return n > 0;
}

bool shm_rx_poll_fifo(void) { return !shm_fifo_is_empty() && receive_cells(); }
