/* packet_handlers.c — packets that name a request of this process: CTS, DATA, FIN. */
#include "adi3/p2p/packets_impl.h"

/* Does r await this packet? A send whose memory is exposed for reading awaits CTS or FIN. */
static bool is_packet_awaited(const struct adi3_request *r, const struct dev_pkt *pkt)
{
    if (r->awaits == pkt->type)
        return pkt->type == PKT_CTS    ? pkt->len <= r->len
               : pkt->type == PKT_DATA ? pkt->payload <= r->got
                                       : true;
    return pkt->type == PKT_FIN && r->awaits == PKT_CTS && r->op.pkt.addr;
}

/* Returns the request that a packet names, and ends the wait of the request for packets. NULL: the
 * packet names no request, or a request that does not await such a packet from the peer. */
static struct adi3_request *packet_find_request(uint32_t cookie, const struct dev_pkt *pkt,
                                                const struct dev_peer *from)
{
    struct adi3_request *r = adi3_get(&adi3_requests, (int) cookie);

    if (!r || r->peer != from || !is_packet_awaited(r, pkt))
        return NULL;
    if (r->awaits == PKT_CTS)
        p2p_unexpose(r);
    r->awaits = 0;
    return r;
}

static int receive_cts(struct dev_peer *from, const struct dev_pkt *pkt, const void *payload)
{
    (void) payload;
    struct adi3_request *r = packet_find_request(pkt->sreq, pkt, from);

    if (!r)
        return p2p_refuse(from, pkt);
    r->op.pkt = (struct dev_pkt) { .type = PKT_DATA, .payload = pkt->len, .rreq = pkt->rreq };
    proto_data(r, pkt->len);
    return 0;
}

static int receive_fin(struct dev_peer *from, const struct dev_pkt *pkt, const void *payload)
{
    (void) payload;
    struct adi3_request *r = packet_find_request(pkt->sreq, pkt, from);

    if (!r)
        return p2p_refuse(from, pkt);
    proto_sent(r, 0);
    return 0;
}

static int receive_data(struct dev_peer *from, const struct dev_pkt *pkt, const void *payload)
{
    struct adi3_request *r = packet_find_request(pkt->rreq, pkt, from);

    if (!r)
        return p2p_refuse(from, pkt);
    r->got = pkt->payload;
    request_deliver(r, payload);
    proto_finish(r, 0);
    return 0;
}

void target_request(struct dev_target *target, struct adi3_request *r)
{
    target->iov[0] = (struct iovec) { r->bytes, r->scattered ? 0 : r->got };
    target->iovcnt = target->iov[0].iov_len > 0;
    target->cookie = r;
    target->memory = r->scattered ? &r->memory : NULL;
}

static int begin_data(struct dev_peer *from, const struct dev_pkt *pkt, struct dev_target *target)
{
    struct adi3_request *r = packet_find_request(pkt->rreq, pkt, from);

    if (!r)
        return p2p_refuse(from, pkt);
    r->got = pkt->payload;
    target_request(target, r);
    return 0;
}

static void end_data(struct dev_target *target, int err) { proto_finish(target->cookie, err); }

const struct p2p_packet cts_packet = { .name = "CTS", .whole = receive_cts };
const struct p2p_packet fin_packet = { .name = "FIN", .whole = receive_fin };
const struct p2p_packet data_packet = {
    .name = "DATA", .payload = true, .whole = receive_data, .begin = begin_data, .end = end_data
};
