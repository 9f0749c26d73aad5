/* rx.c — entries that arrive become packets. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "iov.h"
#include "shm.h"

static struct shm_peer **rings; /* peers that send through a ring */
static int nrings, capacity;
bool shm_wait_over;

void shm_peer_lose(struct shm_peer *p, int err)
{
    p->gone = true;
    shm_peer_end_receive(p);
    shm_peer_drop_ops(p, err);
    shm_env->up->peer_lost(p->peer, err);
}

/* Part of a payload: to the target as far as it has room, the rest nowhere. */
static void append(struct shm_peer *p, const char *data, size_t bytes)
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
    int rc;

    if (bytes > e->pkt.payload || r->partial) {
        shm_peer_lose(p, -EPROTO);
        return;
    }
    if (bytes == e->pkt.payload) {
        rc = shm_env->up->recv(p->peer, &e->pkt, e->data);
        shm_wait_over = rc > 0;
        if (rc < 0)
            shm_peer_lose(p, rc);
        return;
    }
    r->payload = e->pkt.payload;
    r->got = 0;
    r->target = (struct dev_target) { .iovcnt = 0 };
    if ((rc = shm_env->up->recv_begin(p->peer, &e->pkt, &r->target)) < 0) {
        shm_peer_lose(p, rc);
        return;
    }
    r->partial = true;
    append(p, e->data, bytes);
}

void shm_plain(struct shm_peer *p, const struct shm_plain *e, uint64_t word)
{
    struct dev_pkt pkt;

    pkt.payload = shm_word_bytes(word);
    shm_word_pkt(word, &pkt);
    pkt.pad = 0;
    pkt.ctx = e->ctx;
    pkt.rank = e->rank;
    pkt.tag = e->tag;
    int rc = shm_env->up->recv(p->peer, &pkt, e->data);
    shm_wait_over = rc > 0;
    if (__builtin_expect(rc < 0, 0))
        shm_peer_lose(p, rc);
}

void shm_entry(struct shm_peer *from, const void *entry, uint64_t word)
{
    const struct shm_frag *f = entry;

    switch (shm_word_kind(word)) {
    case SHM_PLAIN:
        shm_plain(from, entry, word);
        return;
    case SHM_FULL:
        receive_full(from, entry, shm_word_bytes(word));
        return;
    case SHM_FRAG:
        if (from->rx.partial && shm_word_bytes(word) <= from->rx.payload - from->rx.got) {
            append(from, f->data, shm_word_bytes(word));
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

void shm_ring_begin(struct shm_peer *from, uint64_t offset)
{
    if (nrings == capacity) {
        int more = capacity ? 2 * capacity : 16;
        struct shm_peer **p = realloc(rings, (size_t) more * sizeof *p);
        if (!p) {
            shm_peer_lose(from, -ENOMEM);
            return;
        }
        rings = p;
        capacity = more;
    }
    from->rx.ring = shm_ring_map(offset);
    from->rx.pos = 0;
    from->rx.consumed = from->rx.returned = 0;
    rings[nrings++] = from;
}

bool shm_rings_poll(void)
{
    bool moved = false;

    for (int i = 0; i < nrings; i++)
        moved |= shm_ring_poll(rings[i]);
    return moved;
}

void shm_peer_end_receive(struct shm_peer *from)
{
    for (int i = 0; i < nrings; i++)
        if (rings[i] == from)
            rings[i--] = rings[--nrings];
    from->rx.ring = NULL;
    if (nrings == 0) {
        free(rings);
        rings = NULL;
        capacity = 0;
    }
    if (!from->rx.partial)
        return;
    from->rx.partial = false;
    shm_env->up->recv_end(&from->rx.target, -ECONNRESET);
}
