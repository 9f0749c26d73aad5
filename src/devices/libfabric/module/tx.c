/* tx.c — sending packets as one message or several. Their bytes are copied into buffers:
 * providers copy small messages anyway, and large ones are read by their receiver (rma.c). */
#include <string.h>
#include "devices/iov.h"
#include "devices/libfabric/module/ofi_impl.h"

enum { HEAD = sizeof(struct ofi_head), SMALL = 1024 };

struct message {
    enum ofi_kind kind;
    const struct dev_pkt *pkt; /* of OFI_PACKET */
    const struct dev_send *op; /* the payload is part of that of op, ... */
    const void *data;          /* ... or is here */
    size_t at, len;            /* offset in the payload, bytes */
};

static size_t pkt_len(const struct dev_pkt *pkt)
{
    if (!pkt)
        return 0;
    return pkt->flags & DEV_PLAIN ? OFI_PLAIN : sizeof *pkt;
}

static bool is_numbered(enum ofi_kind kind) { return kind <= OFI_CLOSE; }
static bool ack_is_due(const struct ofi_peer *p)
{
    return p->received - p->ack_sent >= OFI_WINDOW / 2;
}

void ofi_mark_blocked(struct ofi_peer *p)
{
    if (p->blocked)
        return;
    p->blocked = true;
    p->next_blocked = ofi_dev.blocked;
    ofi_dev.blocked = p;
}

static void write_message(const struct ofi_peer *p, const struct message *x, char *to)
{
    const struct ofi_head head = { .cookie = p->cookie_out,
                                   .job = ofi_dev.env->job->id,
                                   .sequence = p->sent,
                                   .acked = p->received,
                                   .from = (uint32_t) ofi_dev.env->rank << OFI_KIND_BITS
                                           | (uint32_t) x->kind };
    size_t n = pkt_len(x->pkt);

    memcpy(to, &head, HEAD);
    if (n)
        memcpy(to + HEAD, x->pkt, n);
    if (x->op)
        iov_gather(x->op, x->at, to + HEAD + n, x->len);
    else if (x->len)
        memcpy(to + HEAD + n, x->data, x->len);
}

/* A buffer for a message to p; NULL: p has its share of the buffers. */
static struct ofi_buf *buffer_for(const struct ofi_peer *p)
{
    if (p->in_flight >= OFI_IN_FLIGHT
        || (p->in_flight && !ofi_dev.free && ofi_dev.buffers >= OFI_BUFFERS))
        return NULL;
    return ofi_buf_new();
}

static void release_buffer(struct ofi_buf *b)
{
    b->next = ofi_dev.free;
    ofi_dev.free = b;
}

static ssize_t message_post(struct ofi_peer *p, const struct message *x, size_t len)
{
    struct ofi_buf *b = buffer_for(p);

    if (!b)
        return -FI_EAGAIN;
    b->op.kind = OFI_OP_SEND;
    b->to = p;
    write_message(p, x, b->bytes);
    ssize_t rc = fi_send(ofi_dev.ep, b->bytes, len, b->desc, p->address, &b->op);
    if (rc) {
        release_buffer(b);
        return rc;
    }
    p->in_flight++;
    ofi_dev.in_flight++;
    return 0;
}

void ofi_send_done(struct ofi_buf *b)
{
    b->to->in_flight--;
    ofi_dev.in_flight--;
    release_buffer(b);
}

/* Sends a message. tracked: the provider must report when it is sent, because closing loses unsent
 * messages. Returns 0, DEV_AGAIN or a negative errno, which poll() will report too. */
static int message_send(struct ofi_peer *p, const struct message *x, bool tracked)
{
    size_t len = HEAD + pkt_len(x->pkt) + x->len;
    char small[SMALL];
    ssize_t rc = ofi_peer_reach(p);

    if (is_numbered(x->kind) && p->sent - p->acked >= OFI_WINDOW)
        return DEV_AGAIN;
    if (!rc && !tracked && len <= SMALL && len <= ofi_dev.inject_size) {
        write_message(p, x, small);
        rc = fi_inject(ofi_dev.ep, small, len, p->address);
    } else if (!rc) {
        rc = message_post(p, x, len);
    }
    if (rc == -FI_EAGAIN) {
        ofi_dev.starved = true;
        return DEV_AGAIN;
    }
    if (rc) {
        ofi_peer_mark_failed(p, ofi_errno((int) rc), fi_strerror((int) -rc));
        return p->error;
    }
    p->sent += is_numbered(x->kind);
    p->ack_sent = p->received;
    return 0;
}

int ofi_send_control(struct ofi_peer *p, enum ofi_kind kind)
{
    return message_send(p, &(struct message) { .kind = kind }, kind != OFI_ACK);
}

void ofi_ack_if_due(struct ofi_peer *p)
{
    if (!p->lost && !p->error && ack_is_due(p) && ofi_send_control(p, OFI_ACK))
        ofi_mark_blocked(p);
}

int ofi_inject(struct dev_peer *to, const struct dev_pkt *pkt, const void *data)
{
    struct ofi_peer *p = to->priv;
    const struct message x = {
        .kind = OFI_PACKET, .pkt = pkt, .data = data, .len = (size_t) pkt->payload
    };

    if (ofi_peer_error(p))
        return ofi_peer_error(p);
    return p->queue ? DEV_AGAIN : message_send(p, &x, false);
}

/* ---- the queue of a peer --------------------------------------------------------------------- */

/* Sends the next message of the first packet in the queue; false when there is no room for it. */
static bool send_more(struct ofi_peer *p)
{
    struct dev_send *op = p->queue;
    size_t all = (size_t) op->pkt.payload;
    struct message x = { .kind = op->sent ? OFI_FRAGMENT : OFI_PACKET,
                         .pkt = op->sent ? NULL : &op->pkt,
                         .op = op,
                         .at = op->sent };
    size_t room = OFI_MESSAGE_MAX - HEAD - pkt_len(x.pkt);

    x.len = all - op->sent < room ? all - op->sent : room;
    if (message_send(p, &x, false))
        return false;
    op->sent += x.len;
    if (op->sent < all)
        return true;
    if (!(p->queue = op->next))
        p->tail = &p->queue;
    op->done(op, 0);
    return true;
}

/* Tells a lost peer that it is, once a provider that has to connect first has room for it. */
static void flush_reset(struct ofi_peer *p)
{
    if (ofi_send_control(p, OFI_RESET) == DEV_AGAIN && os_time_ns() < p->reset_until)
        ofi_mark_blocked(p);
    else
        p->reset_until = 0;
}

/* done() may send; what it queues is sent by the loop that is running. */
static bool flush_peer(struct ofi_peer *p)
{
    bool moved = false;

    if (p->reset_until)
        flush_reset(p);
    if (p->flushing || p->lost || p->error)
        return false;
    p->flushing = true;
    while (p->queue && send_more(p))
        moved = true;
    p->flushing = false;
    if (p->close_ack_due && ofi_send_control(p, OFI_CLOSE_ACK) == 0)
        p->close_ack_due = false;
    if (p->queue || p->close_ack_due)
        ofi_mark_blocked(p);
    ofi_ack_if_due(p);
    return moved;
}

bool ofi_flush(void)
{
    struct ofi_peer *p = ofi_dev.blocked;
    bool moved = false;

    ofi_dev.blocked = NULL;
    ofi_dev.starved = false;
    for (struct ofi_peer *next; p; p = next) {
        next = p->next_blocked;
        p->blocked = false;
        moved |= flush_peer(p);
    }
    return moved;
}

void ofi_send(struct dev_peer *to, struct dev_send *op)
{
    struct ofi_peer *p = to->priv;

    if (ofi_peer_error(p)) {
        op->done(op, ofi_peer_error(p));
        return;
    }
    op->next = NULL;
    op->sent = 0;
    *p->tail = op;
    p->tail = &op->next;
    (void) flush_peer(p);
}
