/* packet_op.c — packets of one-sided operations that are with a device, or await an answer. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "adi3/rma/messages/wire.h"

int packet_op_reach(const struct adi3_win *w, int rank)
{
    struct adi3_proc *p = w->comm->proc[rank];

    return p->dev && !p->lost ? MPI_SUCCESS : proc_add(p);
}

bool packet_op_origin(const struct dev_peer *from, const struct dev_pkt *pkt, struct adi3_win **w,
                      struct rma_target **t)
{
    *w = rma_win_of(pkt->ctx);
    if (!*w || !(*w)->memory || pkt->rank < 0 || !comm_has_sender((*w)->comm, pkt->rank, from))
        return false;
    *t = rma_target(*w, pkt->rank);
    return *t;
}

struct dev_pkt packet_op_header(const struct adi3_win *w, enum adi3_pkt_type type, size_t payload)
{
    return (struct dev_pkt) {
        .type = (uint8_t) type, .payload = payload, .ctx = w->comm->send_ctx, .rank = w->comm->rank
    };
}

int packet_op_inject(const struct adi3_win *w, int rank, const struct dev_pkt *pkt,
                     const void *payload)
{
    struct adi3_proc *p = w->comm->proc[rank];

    if (p->lost)
        return p->lost;
    return pkt->payload < p->inject_below ? p->dev->ops->inject(&p->peer, pkt, payload) : DEV_AGAIN;
}

static void forget_operation(struct adi3_rma *again)
{
    adi3_type_release(again->origin.type);
    adi3_type_release(again->type);
    free(again);
}

struct adi3_request *packet_op_new(struct adi3_win *w, int rank, const struct packet_op *p)
{
    struct packet_op *own = malloc(sizeof *own);
    struct adi3_request *r = own ? request_new(ADI3_ONE_SIDED, w->comm, rank, 0) : NULL;

    if (!r) {
        free(p->buffer);
        if (p->again)
            forget_operation(p->again);
        free(own);
        return NULL;
    }
    *own = *p;
    own->win = w;
    r->flags = REQUEST_OWNED | REQUEST_SPECIAL;
    r->own = own;
    r->bytes = own->buffer;
    r->len = 0;
    r->peer = &w->comm->proc[rank]->peer;
    if (own->target)
        own->target->pending++;
    if (own->user_op)
        own->user_op->left++;
    return r;
}

static void user_op_done(struct user_op *user_op, int err)
{
    struct adi3_request *r = user_op->request;

    if (err && !r->error)
        r->error = err;
    if (--user_op->left)
        return;
    free(user_op);
    request_done(r);
}

int packet_op_first_error(const struct adi3_request *r)
{
    const struct packet_op *p = r->own;

    return p->user_op ? p->user_op->request->error : p->target ? p->target->err : MPI_SUCCESS;
}

void packet_op_done(struct adi3_request *r, int err)
{
    struct packet_op *p = r->own;

    if (err && !r->error)
        r->error = packet_op_first_error(r);
    if (err && !r->error)
        r->error = proc_error(proc_of(r->peer), err);
    if (--r->completion_count)
        return;
    if (p->result.type && p->buffer && !r->error)
        adi3_unpack(&p->result, p->at, p->buffer, r->got);
    if (p->target) {
        p->target->pending--;
        if (r->error && !p->user_op && !p->target->err)
            p->target->err = r->error;
        thread_signal_waiters(p->win);
    }
    if (p->user_op)
        user_op_done(p->user_op, r->error);
    request_free(r);
}

static void packet_op_sent(struct dev_send *op, int err)
{
    struct adi3_request *r = OS_OWNER(op, struct adi3_request, op);

    p2p_lend(-1);
    if (err && r->awaits) { /* no answer comes */
        r->awaits = 0;
        packet_op_done(r, err);
    }
    packet_op_done(r, err);
}

void packet_op_send(struct adi3_request *r, const struct dev_pkt *pkt, size_t len)
{
    struct adi3_proc *p = proc_of(r->peer);

    r->state = ADI3_ACTIVE;
    r->op = (struct dev_send) { .pkt = *pkt,
                                .memory = r->scattered ? &r->memory : NULL,
                                .iov = { { r->bytes, len } },
                                .iovcnt = len > 0 && !r->scattered,
                                .done = packet_op_sent };
    p2p_lend(1);
    if (p->lost)
        packet_op_sent(&r->op, p->lost);
    else
        p->dev->ops->send(r->peer, &r->op);
}

/* request_kind.cancel: §11.3.5 forbids MPI_Cancel and MPI_Request_free. */
static int packet_op_cancel(struct adi3_request *r)
{
    return adi3_error(MPI_ERR_REQUEST,
                      "request 0x%x is of a one-sided operation, which cannot be cancelled",
                      (unsigned) r->handle);
}

/* request_kind.end */
static void packet_op_end(struct adi3_request *r)
{
    struct packet_op *p = r->own;

    if (!(r->flags & REQUEST_OWNED))
        return;
    free(p->buffer);
    if (p->result.type)
        adi3_type_release(p->result.type);
    if (p->again)
        forget_operation(p->again);
    free(p);
}

const struct request_kind packet_op_kind = { .name = "a one-sided operation",
                                             .cancel = packet_op_cancel,
                                             .end = packet_op_end,
                                             .must_complete = true };
