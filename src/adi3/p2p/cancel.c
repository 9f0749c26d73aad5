/* cancel.c — MPI_Cancel of receives and sends (§3.8.4).
 *
 * A receive that no message has matched is cancelled at once. A send can be cancelled while it
 * awaits a CTS or a FIN, by asking its receiver to take the message out of the unexpected queue:
 *
 *   RTS or EAGER that wants FIN ---->   CANCEL ---->   <---- CANCELLED: was it still there?
 *
 * The answer is one more completion of the send. So the request is not done before it has come, and
 * a late answer finds its request. Other sends are complete, or are going to be without their
 * receiver: cancelling them does nothing. */
#include "adi3/p2p/p2p_impl.h"

static bool can_recall(const struct adi3_request *r)
{
    return !r->recalled && (r->awaits == PKT_CTS || r->awaits == PKT_FIN);
}

static void cancel_ask_receiver(struct adi3_request *r)
{
    const struct dev_pkt ask = { .type = PKT_CANCEL,
                                 .ctx = r->op.pkt.ctx,
                                 .rank = r->op.pkt.rank,
                                 .tag = r->op.pkt.tag,
                                 .sreq = (uint32_t) r->handle };

    assert(r->completion_count > 0);
    r->recalled = true;
    r->completion_count++;
    /* The peer may be lost: then its other completions come with the error. */
    if (p2p_control(r->peer, &ask) && r->recalled) {
        r->recalled = false;
        r->completion_count--;
    }
}

int cancel_receive(struct adi3_request *r)
{
    assert(adi3_lock_held() && r->kind == ADI3_RECV);
    if (r->state == ADI3_STARTED) {
        match_unpost(r->queue, &r->posted);
        r->flags |= REQUEST_CANCELLED;
        request_done(r);
    }
    return MPI_SUCCESS;
}

int cancel_send(struct adi3_request *r)
{
    assert(adi3_lock_held() && r->kind == ADI3_SEND);
    if (r->state != ADI3_DONE && r->state != ADI3_INIT && can_recall(r))
        cancel_ask_receiver(r);
    return MPI_SUCCESS;
}

/* ---- packets --------------------------------------------------------------------------------- */

/* An unexpected message by its sender's request, if all of it is here or it is only announced. */
static struct match_message *find_unexpected(struct adi3_queues *q, const struct dev_peer *from,
                                             uint32_t sreq)
{
    for (struct match_link *l = q->unexpected.prev; l != &q->unexpected; l = l->prev) {
        struct match_message *u = OS_OWNER(l, struct match_message, all);
        if (u->from == from && u->pkt.sreq == sreq && u->complete)
            return u;
    }
    return NULL;
}

static void take_back(struct adi3_queues *q, struct match_message *u)
{
    match_take(q, u);
    if (u->pkt.type == PKT_EAGER)
        proto_return_credit(proc_of(u->from), u->pkt.len);
    unexpected_free(u);
}

static int receive_cancel(struct dev_peer *from, const struct dev_pkt *pkt, const void *payload)
{
    (void) payload;
    struct adi3_queues *q = queues_find(pkt->ctx);

    if (!pkt->sreq)
        return p2p_refuse(from, pkt);
    struct match_message *u = q ? find_unexpected(q, from, pkt->sreq) : NULL;
    const struct dev_pkt answer = { .type = PKT_CANCELLED, .len = u != NULL, .sreq = pkt->sreq };
    if (u)
        take_back(q, u);
    (void) p2p_control(from, &answer); /* an error: the peer is lost, and waits no longer */
    return 0;
}

static void recall_done(struct adi3_request *r)
{
    p2p_unexpose(r);
    r->awaits = 0;
    r->flags |= REQUEST_CANCELLED;
}

static int receive_cancelled(struct dev_peer *from, const struct dev_pkt *pkt, const void *payload)
{
    (void) payload;
    struct adi3_request *r = adi3_get(&adi3_requests, (int) pkt->sreq);
    bool cancelled = pkt->len == 1;

    if (!r || r->peer != from || !r->recalled || pkt->len > 1)
        return p2p_refuse(from, pkt);
    if (cancelled && r->awaits == 0)
        return p2p_refuse(from, pkt); /* its receiver has taken it */
    r->recalled = false;
    if (cancelled) {
        recall_done(r);
        r->completion_count--;
    }
    proto_sent(r, 0);
    return 0;
}

/* ---- sends to oneself ------------------------------------------------------------------------ */

static bool others_under_way(const struct adi3_request *but)
{
    for (const struct adi3_request *r = NULL; (r = adi3_next(&adi3_requests, r));)
        if (r != but && (r->state == ADI3_STARTED || r->state == ADI3_ACTIVE))
            return true;
    return false;
}

/* One thread alone calls MPI, no receive is posted, and nothing is under way that could call the
 * program. */
int cancel_hopeless_send(struct adi3_request *r)
{
    struct adi3_queues *q = r->comm->queue[0];
    struct match_message *u = adi3_threads || q->nposted || !can_recall(r) || others_under_way(r)
                                  ? NULL
                                  : find_unexpected(q, r->peer, (uint32_t) r->handle);

    assert(adi3_lock_held());
    if (!u)
        return MPI_SUCCESS;
    take_back(q, u);
    recall_done(r);
    proto_sent(r, 0);
    return adi3_error(MPI_ERR_OTHER,
                      "rank %d sends %zu bytes with tag %d to itself and waits for their receive: "
                      "none is posted, and none can be while it waits; call MPI_Irecv before",
                      r->comm->rank, r->len, r->posted.tag);
}

const struct p2p_packet cancel_packet = { .name = "CANCEL", .whole = receive_cancel };
const struct p2p_packet cancelled_packet = { .name = "CANCELLED", .whole = receive_cancelled };
