/* arrivals.c — packets that come are queued, and handed on when chance permits. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "devices/chaos/arrivals.h"
#include "devices/chaos/chance.h"
#include "devices/iov.h"

enum { LONGEST_BACKLOG = 64 }; /* packets; of a longer one nothing is held back */

static struct chaos_peer *peer_of(struct dev_peer *inner)
{
    return (struct chaos_peer *) inner; /* its first member */
}

/* ---- from the inner device ------------------------------------------------------------------- */

/* Counts a packet. Process CHAOS_DROP_PEER and a peer are cut off from each other as soon as either
 * has received CHAOS_DROP_AFTER packets of the other. */
static void arrival_count_packet(struct chaos_peer *p)
{
    int here = p->device->env->rank, there = p->outer->rank;

    p->heard++;
    if (here != there && (here == chaos_drop_peer || there == chaos_drop_peer))
        p->dropping |= p->heard >= (unsigned long) chaos_drop_after;
}

static struct chaos_packet *arrival_enqueue(struct chaos_peer *p, const struct dev_pkt *pkt)
{
    struct chaos_packet *k = NULL;

    if (pkt->payload < SIZE_MAX / 2)
        k = malloc(sizeof *k + (size_t) pkt->payload + 1);
    if (!k)
        return NULL;
    k->next = NULL;
    k->pkt = *pkt;
    k->whole = k->begun = k->dropped = false;
    k->err = 0;
    k->given = 0;
    k->payload = k->room + chaos_random(2);
    *p->in_end = k;
    p->in_end = &k->next;
    p->backlog++;
    arrival_count_packet(p);
    return k;
}

int chaos_recv(struct dev_peer *from, const struct dev_pkt *pkt, const void *payload)
{
    struct chaos_peer *p = peer_of(from);

    if (p->over || p->lost)
        return 0;
    if (pkt->type == CHAOS_GONE)
        p->lost = -ECONNRESET;
    if (p->lost || p->refused)
        return 0;
    struct chaos_packet *k = arrival_enqueue(p, pkt);
    if (!k)
        return -ENOMEM;
    if (pkt->payload)
        memcpy(k->payload, payload, (size_t) pkt->payload);
    k->whole = true;
    return 0;
}

int chaos_recv_begin(struct dev_peer *from, const struct dev_pkt *pkt, struct dev_target *target)
{
    struct chaos_peer *p = peer_of(from);
    struct chaos_packet *k;

    if (p->over || p->lost || p->refused)
        return -ECONNRESET;
    if (!(k = arrival_enqueue(p, pkt)))
        return -ENOMEM;
    target->iov[0] = (struct iovec) { k->payload, (size_t) pkt->payload };
    target->iovcnt = 1;
    target->cookie = k;
    return 0;
}

void chaos_recv_end(struct dev_target *target, int err)
{
    struct chaos_packet *k = target->cookie;

    k->whole = true;
    k->err = err;
    if (k->dropped)
        free(k);
}

/* ---- to ADI3 --------------------------------------------------------------------------------- */

/* Takes the oldest packet out of the queue; the caller frees it. */
static struct chaos_packet *arrival_dequeue(struct chaos_peer *p)
{
    struct chaos_packet *k = p->in;

    if (!(p->in = k->next))
        p->in_end = &p->in;
    p->backlog--;
    return k;
}

/* Hands on a random part of the payload of the oldest packet. False: it has not come yet. */
static bool hand_on_some(struct chaos_peer *p)
{
    struct chaos_packet *k = p->in;
    uint64_t left = k->pkt.payload - k->given;

    if (!k->whole)
        return false;
    unsigned most = left < UINT32_MAX ? (unsigned) left : UINT32_MAX;
    uint64_t some = most && !p->lost ? 1 + chaos_random(most) : left;
    iov_scatter(&k->target, (size_t) k->given, k->payload + k->given, k->err ? 0 : (size_t) some);
    k->given += some;
    if (k->given < k->pkt.payload && !k->err)
        return true;
    (void) arrival_dequeue(p);
    p->device->env->up->recv_end(&k->target, k->err);
    free(k);
    return true;
}

/* Hands on the oldest packet: whole, or only its header for now. False: ADI3 refuses it; then
 * the peer is cut off, and all else that comes from it is ignored. */
static bool arrival_hand_on(struct chaos_peer *p)
{
    const struct dev_upcalls *up = p->device->env->up;
    struct chaos_packet *k = p->in;
    int rc = 0;

    if (!k->whole || (k->pkt.payload && chaos_happens(chaos_tear))) {
        chaos_counts.torn++;
        k->target = (struct dev_target) { .iovcnt = 0 };
        rc = up->recv_begin(p->outer, &k->pkt, &k->target);
        k->begun = rc >= 0;
    } else {
        (void) arrival_dequeue(p);
        if (!k->err) /* a payload that was lost before ADI3 knew of it: as if it had never come */
            rc = up->recv(p->outer, &k->pkt, k->payload);
        free(k);
    }
    if (rc >= 0)
        return true;
    p->refused = rc;
    p->dropping = true;
    chaos_end_arrivals(p, rc);
    return false;
}

/* Hands on packets until chance holds one back. Whole packets of a lost peer are never held. */
bool chaos_hand_on(struct chaos_peer *p)
{
    bool moved = false, more = true;

    while (p->in && more) {
        if (p->backlog <= LONGEST_BACKLOG && chaos_stalls(p, &p->in_stall, &chaos_counts.held_in))
            break;
        more = p->in->begun ? hand_on_some(p) : arrival_hand_on(p);
        moved = true;
    }
    return moved && more;
}

/* Whether this device holds packets back. One whose payload the inner device has not got is not. */
bool chaos_holds_arrivals(const struct chaos_peer *p)
{
    return p->in && (p->in->whole || !p->in->begun);
}

void chaos_end_arrivals(struct chaos_peer *p, int err)
{
    while (p->in) {
        struct chaos_packet *k = arrival_dequeue(p);
        if (k->begun)
            p->device->env->up->recv_end(&k->target, err);
        if (k->whole)
            free(k);
        else
            k->dropped = true; /* the inner device still writes into it */
    }
}
