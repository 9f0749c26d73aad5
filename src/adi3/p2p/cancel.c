/* cancel.c — taking back what was posted or announced (§3.8.4).
 *
 * A receive that nothing has matched is cancelled here and now. A send can be while its receiver
 * has nothing but its envelope, or owes it a FIN:
 *
 *   RTS or EAGER that wants FIN ---->   CANCEL ---->   <---- CANCELLED: was it still there?
 *
 * The answer is one more part of the send, so that whatever else is on its way is awaited too, and
 * a late answer finds its request. Other sends are over, or as good as that. */
#include "p2p_impl.h"

static bool takes_back(const struct adi3_request *r)
{
    return !r->recalled && (r->awaits == PKT_CTS || r->awaits == PKT_FIN);
}

static void recall(struct adi3_request *r)
{
    const struct dev_pkt ask = { .type = PKT_CANCEL,
                                 .ctx = r->op.pkt.ctx,
                                 .rank = r->op.pkt.rank,
                                 .tag = r->op.pkt.tag,
                                 .sreq = (uint32_t) r->handle };

    r->recalled = true;
    r->parts++;
    if (p2p_control(r->peer, &ask) && r->recalled) { /* lost: its other parts will say so */
        r->recalled = false;
        r->parts--;
    }
}

int cancel_receive(struct adi3_request *r)
{
    if (r->state == ADI3_STARTED) {
        match_unpost(r->queue, &r->posted);
        r->flags |= REQUEST_CANCELLED;
        request_done(r);
    }
    return MPI_SUCCESS;
}

int cancel_send(struct adi3_request *r)
{
    if (r->state != ADI3_DONE && r->state != ADI3_INIT && takes_back(r))
        recall(r);
    return MPI_SUCCESS;
}

/* ---- packets --------------------------------------------------------------------------------- */

/* A message that is all here, or only announced, and nobody has taken. */
static struct match_message *find(struct adi3_queues *q, const struct dev_peer *from, uint32_t sreq)
{
    for (struct match_link *l = q->unexpected.prev; l != &q->unexpected; l = l->prev) {
        struct match_message *u = OS_OWNER(l, struct match_message, all);
        if (u->from == from && u->pkt.sreq == sreq && u->complete)
            return u;
    }
    return NULL;
}

static int asked(struct dev_peer *from, const struct dev_pkt *pkt, const void *payload)
{
    (void) payload;
    struct adi3_queues *q = queues_find(pkt->ctx);

    if (!pkt->sreq)
        return p2p_refuse(from, pkt);
    struct match_message *u = q ? find(q, from, pkt->sreq) : NULL;
    const struct dev_pkt answer = { .type = PKT_CANCELLED, .len = u != NULL, .sreq = pkt->sreq };
    if (u) {
        match_take(q, u);
        if (u->pkt.type == PKT_EAGER)
            proto_taken(proc_of(from), u->pkt.len);
        unexpected_free(u);
    }
    (void) p2p_control(from, &answer); /* an error loses the peer */
    return 0;
}

static int answered(struct dev_peer *from, const struct dev_pkt *pkt, const void *payload)
{
    (void) payload;
    struct adi3_request *r = adi3_get(&adi3_requests, (int) pkt->sreq);
    bool cancelled = pkt->len == 1;

    if (!r || r->peer != from || !r->recalled || pkt->len > 1)
        return p2p_refuse(from, pkt);
    if (cancelled && r->awaits == 0)
        return p2p_refuse(from, pkt); /* it has been taken */
    r->recalled = false;
    if (cancelled) {
        p2p_unexpose(r);
        r->awaits = 0;
        r->flags |= REQUEST_CANCELLED;
        r->parts--;
    }
    proto_sent(r, 0);
    return 0;
}

const struct p2p_packet cancel_packet = { .name = "CANCEL", .whole = asked };
const struct p2p_packet cancelled_packet = { .name = "CANCELLED", .whole = answered };
