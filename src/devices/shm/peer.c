/* peer.c — the records of peers: finding one, waking its process, and the end of one.
 *
 * This is the lowest file of the device; peer.h has the order of all. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "devices/shm/ring.h"

struct dev_put *shm_putting, **shm_last_put = &shm_putting;
bool shm_unfinished;

const struct dev_env *shm_env;
struct shm_peer **shm_rings;
int shm_nrings;

/* By their place in this process's memory: the index modulo DEV_PLACES. A guest may have left its
 * place, and another one have it, before its last messages are read: it is in `others` then. */
static struct shm_peer **peers;
static int npeers;
static struct shm_peer *others; /* the peers of other jobs */
static int capacity;            /* of shm_rings */

static bool is_guest(const struct shm_peer *p) { return p->peer->node != shm_env->node; }

/* Enters a peer under its index; false: no memory. */
static bool set_peer(int index, struct shm_peer *p)
{
    int at = index % DEV_PLACES, n = at < shm_env->node->count ? shm_env->node->count : at + 1;

    if (n > npeers) {
        struct shm_peer **more = realloc(peers, (size_t) n * sizeof *more);
        if (!more)
            return false;
        memset(more + npeers, 0, (size_t) (n - npeers) * sizeof *more);
        peers = more;
        npeers = n;
    }
    peers[at] = p;
    p->index = index;
    return true;
}

/* The peer in the table with this index, or NULL. */
static struct shm_peer *get_peer(int index)
{
    int at = index % DEV_PLACES;
    struct shm_peer *p = at < npeers ? peers[at] : NULL;

    return p && p->index == index ? p : NULL;
}

struct shm_peer *shm_peer_new(struct dev_peer *peer)
{
    struct shm_peer *p = calloc(1, sizeof *p);

    if (!p)
        return NULL;
    p->peer = peer;
    p->index = -1;
    int index =
        is_guest(p) ? shm_env->node->guest(shm_env->node, peer->job, peer->rank) : peer->local;
    if (index >= 0 && !set_peer(index, p)) {
        free(p);
        return NULL;
    }
    if (is_guest(p)) {
        p->next_other = others;
        others = p;
    }
    p->asleep = peer->node->asleep(peer->node, peer->local);
    p->tx.last = &p->tx.first;
    p->rx.last_get = &p->rx.gets;
    return p;
}

/* The peer with an index which is not in the table: one that ADI3 knows, or one that was there. */
static struct shm_peer *look_up(int index)
{
    struct dev_peer *peer = shm_env->up->peer_here(index);
    struct shm_peer *p = others;

    if (get_peer(index))
        return get_peer(index);
    while (p && p->peer != peer && p->index != index)
        p = p->next_other;
    if (!p || p->index == index)
        return p;
    return set_peer(index, p) ? p : NULL;
}

struct shm_peer *shm_peer_at(int index)
{
    struct shm_peer *p = get_peer(index);

    return p ? p : look_up(index);
}

static void free_peer(struct shm_peer *p)
{
    shm_peer_end_receive(p);
    free(p);
}

/* The process is known no more, and does not write any more. */
void shm_peer_forget(struct shm_peer *p)
{
    struct shm_peer **at = &others;

    while (*at != p)
        at = &(*at)->next_other;
    *at = p->next_other;
    if (p->index >= 0 && get_peer(p->index) == p)
        peers[p->index % DEV_PLACES] = NULL;
    free_peer(p);
}

void shm_peers_free(void)
{
    for (int i = 0; i < npeers; i++)
        if (peers[i] && !is_guest(peers[i]))
            free_peer(peers[i]);
    for (struct shm_peer *p = others, *next; p; p = next) {
        next = p->next_other;
        free_peer(p);
    }
    free(peers);
    peers = NULL;
    npeers = 0;
    others = NULL;
}

void shm_wake(const struct shm_peer *p)
{
    shm_fence();
    if (__builtin_expect(atomic_load_explicit(p->asleep, memory_order_relaxed) != DEV_AWAKE, 0))
        p->peer->node->wake(p->peer->node, p->peer->local);
}

bool shm_rings_add(struct shm_peer *p, struct shm_ring *ring)
{
    if (shm_nrings == capacity) {
        int more = capacity ? 2 * capacity : 16;
        struct shm_peer **all = realloc(shm_rings, (size_t) more * sizeof *all);
        if (!all)
            return false;
        shm_rings = all;
        capacity = more;
    }
    p->rx.ring = p->rx.memory = ring;
    p->rx.lines = ring->lines;
    p->rx.pos = 0;
    p->rx.consumed = p->rx.returned = 0;
    shm_rings[shm_nrings++] = p;
    return true;
}

void shm_peer_end_receive(struct shm_peer *p)
{
    for (int i = 0; i < shm_nrings; i++)
        if (shm_rings[i] == p)
            shm_rings[i--] = shm_rings[--shm_nrings];
    p->rx.ring = NULL;
    if (shm_nrings == 0) {
        free(shm_rings);
        shm_rings = NULL;
        capacity = 0;
    }
    if (!p->rx.partial)
        return;
    p->rx.partial = false;
    shm_env->up->recv_end(&p->rx.target, -ECONNRESET);
}

/* Ends the reads of the peer's memory: waiting reads, and reads of cooperative copies. */
static void drop_gets(struct shm_peer *p, int err)
{
    struct dev_get *op = p->rx.gets;

    for (int i = 0; i < SHM_COOPS; i++) {
        struct shm_coop_rx *c = &p->rx.coop[i];
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

/* Ends all writes to this peer's memory. */
static void drop_puts(const struct dev_peer *to, int err)
{
    struct dev_put *dropped = NULL, *op, **at = &shm_putting;

    while ((op = *at)) {
        if (op->to != to) {
            at = &op->next;
            continue;
        }
        *at = op->next;
        op->next = dropped;
        dropped = op;
    }
    shm_last_put = at;
    while ((op = dropped)) {
        dropped = op->next;
        op->done(op, err);
    }
}

void shm_peer_drop_ops(struct shm_peer *p, int err)
{
    struct dev_send *op = p->tx.first; /* the peer may stay listed: there is nothing to push */

    drop_gets(p, err);
    drop_puts(p->peer, err);
    p->tx.first = NULL;
    p->tx.last = &p->tx.first;
    shm_set_direct(p);
    for (struct dev_send *next; op; op = next) {
        next = op->next;
        op->done(op, err);
    }
}

void shm_peer_lose(struct shm_peer *p, int err)
{
    p->gone = true;
    shm_peer_end_receive(p);
    shm_peer_drop_ops(p, err);
    shm_env->up->peer_lost(p->peer, err);
}
