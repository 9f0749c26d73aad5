/* protocol.c — eager and rendezvous, the same for every device: the sender's side.
 *
 *   eager       EAGER+data ------------>                              small, and there is credit
 *   rendezvous  RTS ------> ... matched ... <------ CTS      DATA+data ------>
 *   by reading  RTS ------> ... matched, get ... <------ FIN          where the device can get;
 *               with the datatype behind the RTS of a noncontiguous message: see noncontig.c
 *
 * A small synchronous send is an EAGER that wants a FIN when it is matched. Eager messages cost
 * credit: see credit.c. Packets name requests by their handles. A name is valid only if that
 * request awaits this type of packet from this peer. CANCEL, CANCELLED: see cancel.c. ASK,
 * DIFFERS: see collchk/report.c. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "adi3/p2p/p2p_impl.h"

/* ---- packets without payload ----------------------------------------------------------------- */

struct control { /* a packet that the device had no room for */
    struct dev_send op;
    bool reserved; /* it is one of reserves[], in use */
};

/* For when there is no memory: a peer would wait for an answer that is not sent. */
enum { RESERVES = 32 };
static struct control reserves[RESERVES];
int proto_with_devices;

int p2p_with_devices(void) { return proto_with_devices; }
void p2p_lend(int ops) { proto_with_devices += ops; }

static struct control *new_control(void)
{
    struct control *c = calloc(1, sizeof *c);

    for (int i = 0; !c && i < RESERVES; i++) {
        if (reserves[i].reserved)
            continue;
        c = &reserves[i];
        c->reserved = true;
    }
    return c;
}

static void control_sent(struct dev_send *op, int err)
{
    struct control *c = OS_OWNER(op, struct control, op);

    (void) err; /* the peer is lost: requests that wait for it are ended by p2p_peer_lost() */
    proto_with_devices--;
    if (c->reserved)
        c->reserved = false;
    else
        free(c);
}

int p2p_control(struct dev_peer *to, const struct dev_pkt *pkt)
{
    struct adi3_proc *p = proc_of(to);

    assert(adi3_lock_held());
    if (p->lost)
        return p->lost;
    int rc = p->dev->ops->inject(to, pkt, NULL);
    if (rc != DEV_AGAIN)
        return rc;
    struct control *c = new_control();
    if (!c) {
        proc_lost(p, -ENOMEM); /* ends the requests that wait for it */
        return 0;
    }
    c->op = (struct dev_send) { .pkt = *pkt, .done = control_sent };
    proto_with_devices++;
    p->dev->ops->send(to, &c->op);
    return 0;
}

void proto_fin(struct dev_peer *to, uint32_t sreq)
{
    const struct dev_pkt fin = { .type = PKT_FIN, .sreq = sreq };

    (void) p2p_control(to, &fin);
}

/* ---- sending --------------------------------------------------------------------------------- */

void proto_sent(struct adi3_request *r, int err)
{
    if (err)
        r->error = proc_error(proc_of(r->peer), err);
    assert(r->kind == ADI3_SEND && r->completion_count > 0);
    if (--r->completion_count == 0)
        request_done(r);
}

static void data_sent(struct dev_send *op, int err)
{
    proto_with_devices--;
    proto_sent(OS_OWNER(op, struct adi3_request, op), err);
}

void proto_data(struct adi3_request *r, size_t len)
{
    r->state = ADI3_ACTIVE;
    r->op.memory = r->scattered ? &r->memory : NULL;
    r->op.iov[0] = (struct iovec) { r->bytes, len };
    r->op.iovcnt = len > 0 && !r->scattered;
    r->op.sent = 0;
    r->op.done = data_sent;
    proto_with_devices++;
    proc_of(r->peer)->dev->ops->send(r->peer, &r->op);
}

/* Exposes the message for reading, where the device can do that: sets the address and key of the
 * RTS. */
static void message_expose(struct adi3_request *r, const struct dev_ops *ops)
{
    struct dev_pkt *pkt = &r->op.pkt;
    const struct iovec message = { r->bytes, r->len };

    r->exposed = NULL;
    pkt->addr = ops->get && !r->scattered ? (uintptr_t) r->bytes : 0;
    if (!ops->expose || r->scattered || !r->peer->can_get)
        return;
    if (ops->expose(r->peer, &message, &pkt->addr, &pkt->key, &r->exposed))
        pkt->addr = pkt->key = 0;
}

void p2p_unexpose(struct adi3_request *r)
{
    if (r->exposed)
        proc_device(proc_of(r->peer))->unexpose(r->exposed);
    r->exposed = NULL;
}

/* Sends the RTS of a noncontiguous message with its layout. DEV_AGAIN: nothing was sent, and the
 * RTS goes without one. */
static int send_noncontig(struct adi3_request *r, const struct adi3_proc *to)
{
    const struct dev_limits *limits = &to->dev->limits;
    struct dev_pkt *pkt = &r->op.pkt;
    char layout[NONCONTIG_MOST];

    if (!r->scattered || !r->peer->can_get)
        return DEV_AGAIN;
    pkt->payload =
        noncontig_write(r, limits->get_least, layout,
                        limits->inject_max < sizeof layout ? limits->inject_max : sizeof layout);
    pkt->addr = (uintptr_t) r;
    int rc = pkt->payload ? to->dev->ops->inject(r->peer, pkt, layout) : DEV_AGAIN;
    if (rc)
        pkt->payload = pkt->addr = 0;
    return rc;
}

static void send_rts(struct adi3_request *r)
{
    struct adi3_proc *to = proc_of(r->peer);
    struct dev_pkt *pkt = &r->op.pkt;

    pkt->type = PKT_RTS;
    pkt->payload = 0;
    pkt->flags &= PKT_READY;
    pkt->sreq = (uint32_t) r->handle;
    message_expose(r, to->dev->ops);
    r->awaits = PKT_CTS;
    int rc = send_noncontig(r, to);
    if (rc == DEV_AGAIN)
        rc = p2p_control(r->peer, pkt);
    if (!rc)
        return;
    p2p_unexpose(r);
    proto_sent(r, rc);
}

int proto_send(struct adi3_request *r, int mode)
{
    struct adi3_proc *to = r->comm->proc[r->posted.rank];

    assert(adi3_lock_held() && r->kind == ADI3_SEND && r->state == ADI3_STARTED
           && r->completion_count == 1);
    int err = to->dev && !to->lost ? MPI_SUCCESS : proc_add(to);

    if (!err && __builtin_expect(proc_may_fail, 0) && mode & ADI3_COLL)
        err = call_error(r->comm, r->posted.tag);
    if (err)
        return err;
    r->peer = &to->peer;
    proto_eager(&r->op.pkt, r->comm, r->posted.tag, r->len, mode);
    r->op.pkt.len = r->len;
    r->op.pkt.sreq = r->op.pkt.rreq = 0;
    r->op.pkt.addr = r->op.pkt.key = 0;
    if (mode & ADI3_READY)
        r->op.pkt.flags = PKT_READY;
    if (r->len > to->dev->limits.eager_max || to->credit < proto_cost(r->len)) {
        send_rts(r);
        return MPI_SUCCESS;
    }
    to->credit -= proto_cost(r->len);
    if (mode & ADI3_SYNC) {
        r->op.pkt.flags = 0;
        r->op.pkt.sreq = (uint32_t) r->handle;
        r->awaits = PKT_FIN;
        r->completion_count =
            2; /* the data, and the FIN, which may come before the device reports them sent */
    }
    proto_data(r, r->len);
    return MPI_SUCCESS;
}
