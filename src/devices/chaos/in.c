/* in.c — packets that come are kept, and handed on when chance permits. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "chaos.h"
#include "iov.h"

enum { LONGEST_BACKLOG = 64 }; /* packets; beyond it nothing is held up */

static struct chaos_peer *peer_of(struct dev_peer *inner)
{
    return (struct chaos_peer *) inner; /* its first member */
}

/* ---- from the device beneath ----------------------------------------------------------------- */

/* The two that are to lose each other count what they hear. */
static void count(struct chaos_peer *p)
{
    int here = p->device->env->world_rank, there = p->outer->world_rank;

    p->heard++;
    if (here != there && (here == chaos_drop_peer || there == chaos_drop_peer))
        p->dropping |= p->heard >= (unsigned long) chaos_drop_after;
}

static struct chaos_packet *keep(struct chaos_peer *p, const struct dev_pkt *pkt)
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
    count(p);
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
    struct chaos_packet *k = keep(p, pkt);
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
    if (!(k = keep(p, pkt)))
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

/* The oldest, taken out of the queue; the caller frees it. */
static struct chaos_packet *take(struct chaos_peer *p)
{
    struct chaos_packet *k = p->in;

    if (!(p->in = k->next))
        p->in_end = &p->in;
    p->backlog--;
    return k;
}

/* Some more of the payload of the oldest packet, of any length, as far as ADI3 has room for it. */
static bool pour(struct chaos_peer *p)
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
    (void) take(p);
    p->device->env->up->recv_end(&k->target, k->err);
    free(k);
    return true;
}

/* In one piece, or only its header for now; false when ADI3 refuses it: then the peer is dropped,
 * and nothing else that comes from it counts. */
static bool begin(struct chaos_peer *p)
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
        (void) take(p);
        if (!k->err) /* half a message of which nobody has heard: as if it had never come */
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

/* What is whole of a lost peer is handed on at once. */
bool chaos_hand_on(struct chaos_peer *p)
{
    bool moved = false, more = true;

    while (p->in && more) {
        if (p->backlog <= LONGEST_BACKLOG && chaos_stalls(p, &p->in_stall, &chaos_counts.held_in))
            break;
        more = p->in->begun ? pour(p) : begin(p);
        moved = true;
    }
    return moved && more;
}

/* What waits for the device beneath is not held up by us. */
bool chaos_holds_arrivals(const struct chaos_peer *p)
{
    return p->in && (p->in->whole || !p->in->begun);
}

void chaos_end_arrivals(struct chaos_peer *p, int err)
{
    while (p->in) {
        struct chaos_packet *k = take(p);
        if (k->begun)
            p->device->env->up->recv_end(&k->target, err);
        if (k->whole)
            free(k);
        else
            k->dropped = true; /* the device beneath still writes into it */
    }
}
