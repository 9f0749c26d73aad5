/* rx.c — messages that arrive become packets, in order.
 *
 * Nothing of a message is used before its cookie is right. Providers complete messages of at most
 * OFI_MESSAGE_MAX bytes in order; where one does not, a message that came too early waits in
 * reorder.c. */
#include <stdlib.h>
#include <string.h>
#include "devices/iov.h"
#include "devices/libfabric/module/ofi_impl.h"

enum { HEAD = sizeof(struct ofi_head) };

/* Loses a peer that breaks the protocol, and sends it a reset. */
static void peer_reset(struct ofi_peer *p, int err, const char *why)
{
    if (!p->lost)
        (void) ofi_send_control(p, OFI_RESET);
    ofi_peer_lose(p, err, why);
}

static void fill_target(struct ofi_peer *p, const char *bytes, size_t n)
{
    iov_scatter(&p->target, p->filled, bytes, n);
    p->filled += n;
    if (p->filled < p->payload)
        return;
    p->partial = false;
    ofi_dev.env->up->recv_end(&p->target, 0);
}

static void packet_recv_begin(struct ofi_peer *p, const struct dev_pkt *pkt, const char *bytes,
                              size_t n)
{
    p->target = (struct dev_target) { .iovcnt = 0 };
    int rc = ofi_dev.env->up->recv_begin(p->peer, pkt, &p->target);

    if (rc < 0) {
        peer_reset(p, rc, "it sent a packet that breaks the protocol");
        return;
    }
    p->partial = true;
    p->payload = pkt->payload;
    p->filled = 0;
    if (n)
        fill_target(p, bytes, n);
}

static void take_packet(struct ofi_peer *p, const char *bytes, size_t len)
{
    struct dev_pkt pkt = { .payload = 0 };
    int rc = -EPROTO;

    memcpy(&pkt, bytes, len < OFI_PLAIN ? len : OFI_PLAIN);
    size_t head = pkt.flags & DEV_PLAIN ? (size_t) OFI_PLAIN : sizeof pkt;
    bool sane = len >= head && pkt.payload <= INT64_MAX && pkt.payload >= len - head && !p->partial;
    if (sane && pkt.payload > len - head) {
        memcpy(&pkt, bytes, head);
        packet_recv_begin(p, &pkt, bytes + head, len - head);
        return;
    }
    if (sane) {
        memcpy(&pkt, bytes, head);
        rc = ofi_dev.env->up->recv(p->peer, &pkt, bytes + head);
    }
    if (rc < 0)
        peer_reset(p, rc, "it sent a packet that breaks the protocol");
}

static void take_fragment(struct ofi_peer *p, const char *bytes, size_t len)
{
    if (p->partial && len && len <= p->payload - p->filled)
        fill_target(p, bytes, len);
    else
        peer_reset(p, -EPROTO, "it sent a fragment that belongs to no packet");
}

static void take_close(struct ofi_peer *p)
{
    p->close_received = true;
    p->close_ack_due = ofi_send_control(p, OFI_CLOSE_ACK) != 0;
    if (p->close_ack_due)
        ofi_mark_blocked(p);
}

/* Handles the next message in order. Of a peer that ADI3 has deleted only a close counts. */
static void message_dispatch(struct ofi_peer *p, enum ofi_kind kind, const char *bytes, size_t len)
{
    p->received++;
    if (kind == OFI_CLOSE)
        take_close(p);
    else if (!p->peer)
        return;
    else if (kind == OFI_PACKET)
        take_packet(p, bytes, len);
    else
        take_fragment(p, bytes, len);
}

/* ---- order ----------------------------------------------------------------------------------- */

static void take_early(struct ofi_peer *p)
{
    struct ofi_early *m;

    while (p->early && !p->lost && (m = ofi_early_next(p))) {
        message_dispatch(p, m->kind, m->bytes, m->len);
        free(m);
    }
}

static void message_recv_numbered(struct ofi_peer *p, const struct ofi_head *head,
                                  const char *bytes, size_t len)
{
    int32_t early = (int32_t) (head->sequence - p->received);

    if (early < 0) {
        peer_reset(p, -EPROTO, "one of its messages came twice");
    } else if (early > 0) {
        int rc = ofi_early_add(p, head, bytes, len);
        if (rc)
            peer_reset(p, rc, "one of its messages came twice or is missing");
    } else {
        message_dispatch(p, (enum ofi_kind)(head->from % (1 << OFI_KIND_BITS)), bytes, len);
        take_early(p);
    }
}

/* The peer that sent this message; NULL: the cookie is wrong, or another device reaches the
 * peer. */
static struct ofi_peer *message_sender(const struct ofi_head *head)
{
    struct ofi_job *j = ofi_job_find(head->job);
    uint32_t from = head->from >> OFI_KIND_BITS;

    if (!j || from >= (uint32_t) j->job->size)
        return NULL;
    struct ofi_peer *p = j->peer[from];
    uint64_t cookie = p ? p->cookie_in : ofi_cookie_from(j->job, (int) from);
    if (cookie != head->cookie)
        return NULL;
    return p ? p : ofi_peer_find(j, (int) from);
}

/* Takes the acknowledgment in a message. A message that was overtaken acknowledges less than is
 * known already. */
static bool take_ack(struct ofi_peer *p, uint32_t acked)
{
    int32_t more = (int32_t) (acked - p->acked);

    if (more > (int32_t) (p->sent - p->acked)) {
        peer_reset(p, -EPROTO, "it acknowledges more messages than were sent to it");
        return false;
    }
    p->acked += more > 0 ? (uint32_t) more : 0;
    return true;
}

void ofi_message_arrived(const char *bytes, size_t len)
{
    struct ofi_head head;

    if (len < HEAD)
        return;
    memcpy(&head, bytes, HEAD);
    struct ofi_peer *p = message_sender(&head);
    if (!p || p->lost)
        return;
    p->arrivals++;
    if (!take_ack(p, head.acked))
        return;
    switch ((enum ofi_kind)(head.from % (1 << OFI_KIND_BITS))) {
    case OFI_PACKET:
    case OFI_FRAGMENT:
    case OFI_CLOSE:
        message_recv_numbered(p, &head, bytes + HEAD, len - HEAD);
        ofi_ack_if_due(p);
        break;
    case OFI_CLOSE_ACK:
        p->close_acked = true;
        break;
    case OFI_RESET:
        ofi_peer_lose(p, -ECONNRESET, "it has reported this process as lost");
        break;
    case OFI_ACK:
    case OFI_PING:
    case OFI_KINDS:
        break;
    }
}
