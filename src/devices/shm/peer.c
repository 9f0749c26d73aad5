/* peer.c — the records of peers: finding one, waking its process, and the end of one.
 *
 * This is the lowest file of the device; peer.h has the order of all. */
#include <errno.h>
#include <stdlib.h>
#include "peer.h"

const struct dev_env *shm_env;
struct shm_peer **shm_rings;
int shm_nrings;

static struct shm_peer **peers; /* by index on the node */
static int capacity;            /* of shm_rings */

struct shm_peer *shm_peer_new(struct dev_peer *peer)
{
    struct shm_peer *p = calloc(1, sizeof *p);

    if (!peers)
        peers = calloc((size_t) shm_env->node->count, sizeof *peers);
    if (!p || !peers) {
        free(p);
        return NULL;
    }
    p->peer = peer;
    p->index = peer->local;
    p->asleep = shm_env->node->asleep(peer->local);
    p->tx.last = &p->tx.first;
    p->rx.last_get = &p->rx.gets;
    peers[peer->local] = p;
    return p;
}

struct shm_peer *shm_peer_at(int index)
{
    if (index >= shm_env->node->count)
        return NULL;
    if (!peers || !peers[index])
        (void) shm_env->up->peer_here(index);
    return peers ? peers[index] : NULL;
}

void shm_peers_free(void)
{
    for (int i = 0; peers && i < shm_env->node->count; i++) {
        if (peers[i])
            shm_peer_end_receive(peers[i]);
        free(peers[i]);
    }
    free(peers);
    peers = NULL;
}

void shm_wake(const struct shm_peer *p)
{
    shm_fence();
    if (__builtin_expect(atomic_load_explicit(p->asleep, memory_order_relaxed) != DEV_AWAKE, 0))
        shm_env->node->wake(p->index);
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
    p->rx.ring = ring;
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

/* Ends all reads of this peer's memory: those that wait, and those of cooperative copies. */
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

void shm_peer_drop_ops(struct shm_peer *p, int err)
{
    struct dev_send *op = p->tx.first; /* the peer may stay listed: there is nothing to push */

    drop_gets(p, err);
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
