/* message.c — operations by messages: the origin.
 *
 * A small one is injected, or delayed for a moment (piggyback.c), and then it is complete here. Any
 * other is a packet operation, or several: accumulate operations are cut into chunks, so that the
 * target's memory for them is bounded. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "adi3/rma/messages/wire.h"

enum {
    PACKED = 1024,
    PACKET_OPS = 64, /* with one target that are not done */
};

struct op { /* an operation that is being sent */
    struct adi3_win *w;
    struct rma_target *t;
    const struct adi3_rma *x;
    struct user_op *user_op; /* NULL: the user wants no request */
    uint32_t lock;           /* enum rma_kind + 1: the lock that the packet asks for; 0: no lock */
    struct wire_op fields;
};

static struct dev_pkt packet_of(const struct op *o, size_t len)
{
    struct dev_pkt pkt = packet_op_header(o->w, PKT_RMA, len);

    pkt.tag = wire_tag(o->x->kind, o->x->op) | (int32_t) (o->lock << WIRE_LOCK_SHIFT);
    p2p_put_fields(&pkt, &o->fields, sizeof o->fields);
    return pkt;
}

/* Sends `at`.. of the origin's data at once if it is small: 0, DEV_AGAIN, or a negative errno. */
static int try_inject(const struct op *o, size_t at, size_t len)
{
    const struct adi3_data *d = &o->x->origin;
    const struct dev_pkt pkt = packet_of(o, len);
    const char *bytes = len ? adi3_one_range(d) : NULL;
    char packed[PACKED];

    if (len >= o->w->comm->proc[o->t->rank]->inject_below || (!bytes && len > sizeof packed))
        return DEV_AGAIN;
    if (!bytes && len)
        adi3_pack(d, at, packed, len);
    return packet_op_inject(o->w, o->t->rank, &pkt, bytes ? bytes + at : packed);
}

/* The data of an operation that fetches says that it is done: a flush asks for others only. */
static void op_count_unflushed(const struct op *o) { o->t->unflushed += !o->fields.request; }

static int op_inject_result(const struct op *o, int rc)
{
    if (rc)
        return proc_error(o->w->comm->proc[o->t->rank], rc);
    op_count_unflushed(o);
    return MPI_SUCCESS;
}

/* Whether the packet may wait for a sync packet: no call waits for the operation, which is complete
 * here at once. */
static bool may_be_delayed(const struct op *o, size_t len)
{
    return len <= WIRE_PIGGYBACK && len < o->w->comm->proc[o->t->rank]->inject_below && !o->user_op
           && !o->fields.request;
}

/* A packet operation whose payload is len bytes of the origin's data from `at` on. */
static int send_data(const struct op *o, size_t at, size_t len)
{
    const struct adi3_data *d = &o->x->origin;

    if (may_be_delayed(o, len)) {
        const struct dev_pkt pkt = packet_of(o, len);
        piggyback_keep(o->w, o->t, &pkt, d, at);
        op_count_unflushed(o);
        return MPI_SUCCESS;
    }
    int rc = try_inject(o, at, len);
    if (rc != DEV_AGAIN)
        return op_inject_result(o, rc);
    bool all = at == 0 && len == d->count * d->type->size;
    char *bytes = adi3_one_range(d);
    struct packet_op packet_op = { .target = o->t, .user_op = o->user_op };
    if (!bytes && !all) {
        if (!(packet_op.buffer = malloc(len)))
            return adi3_no_memory("for a one-sided operation");
        adi3_pack(d, at, packet_op.buffer, len);
    }
    struct adi3_request *r = packet_op_new(o->w, o->t->rank, &packet_op);
    if (!r)
        return adi3_no_memory("for a one-sided operation");
    if (bytes)
        r->bytes = bytes + at;
    else if (all)
        request_data(r, d);
    const struct dev_pkt pkt = packet_of(o, len);
    op_count_unflushed(o);
    packet_op_send(r, &pkt, len);
    return MPI_SUCCESS;
}

/* ---- operations that fetch ------------------------------------------------------------------- */

/* A request that awaits len bytes of the result from packed byte `at` on. */
static struct adi3_request *await_data(const struct op *o, size_t at, size_t len)
{
    const struct adi3_data *d = o->x->kind == ADI3_GET ? &o->x->origin : &o->x->result;
    char *bytes = adi3_one_range(d);
    struct packet_op packet_op = { .target = o->t, .user_op = o->user_op, .at = at };

    if (!bytes) {
        if (!(packet_op.buffer = malloc(len)))
            return NULL;
        packet_op.result = *d;
        packet_op.result.type->refs++;
    }
    struct adi3_request *r = packet_op_new(o->w, o->t->rank, &packet_op);
    if (!r) {
        if (packet_op.result.type)
            adi3_type_release(packet_op.result.type);
        return NULL;
    }
    if (bytes)
        r->bytes = bytes + at;
    r->len = r->got = len;
    r->awaits = PKT_RMA_DATA;
    r->state = ADI3_ACTIVE;
    return r;
}

/* The request that sends the operand is not the one that awaits the result: both have memory. */
static int send_fetching(struct op *o, size_t at, size_t len, size_t payload)
{
    struct adi3_request *r = await_data(o, at, len);

    if (!r)
        return adi3_no_memory("for a one-sided operation");
    o->fields.request = (uint32_t) r->handle;
    int err = payload || o->x->origin.type ? send_data(o, at, payload) : MPI_SUCCESS;
    if (err && r->awaits) {
        r->awaits = 0;
        packet_op_done(r, -ECANCELED);
    }
    return err;
}

/* Without operand: MPI_Get, MPI_NO_OP. */
static int send_asking(struct op *o, size_t at, size_t len)
{
    struct adi3_request *r = await_data(o, at, len);

    if (!r)
        return adi3_no_memory("for a one-sided operation");
    o->fields.request = (uint32_t) r->handle;
    const struct dev_pkt pkt = packet_of(o, 0);
    int rc = p2p_control(r->peer, &pkt);
    if (rc && r->awaits) {
        r->awaits = 0;
        packet_op_done(r, rc);
    }
    return op_inject_result(o, rc);
}

static int send_swap(struct op *o)
{
    size_t size = o->x->type->size;
    char both[64];
    struct adi3_request *r = await_data(o, 0, size);

    if (!r)
        return adi3_no_memory("for a one-sided operation");
    o->fields.request = (uint32_t) r->handle;
    memcpy(both, o->x->compare, size);
    memcpy(both + size, o->x->origin.buf, size);
    const struct dev_pkt pkt = packet_of(o, 2 * size);
    int rc = packet_op_inject(o->w, o->t->rank, &pkt, both);
    if (rc != DEV_AGAIN) {
        if (rc && r->awaits) {
            r->awaits = 0;
            packet_op_done(r, rc);
        }
        return op_inject_result(o, rc);
    }
    struct packet_op packet_op = { .target = o->t,
                                   .user_op = o->user_op,
                                   .buffer = malloc(2 * size) };
    if (packet_op.buffer)
        memcpy(packet_op.buffer, both, 2 * size);
    struct adi3_request *sends =
        packet_op.buffer ? packet_op_new(o->w, o->t->rank, &packet_op) : NULL;
    if (!sends) {
        r->awaits = 0;
        packet_op_done(r, -ENOMEM);
        return adi3_no_memory("for a one-sided operation");
    }
    packet_op_send(sends, &pkt, 2 * size);
    return MPI_SUCCESS;
}

/* ---- all ------------------------------------------------------------------------------------- */

/* Each packet operation takes memory here, and what is fetched there, too. */
int message_await_room(struct adi3_win *w, struct rma_target *t)
{
    struct adi3_wait wait = { .on = w, .what = "one-sided operations" };
    struct adi3_proc *p = w->comm->proc[t->rank];
    int err = MPI_SUCCESS;

    while (t->pending >= PACKET_OPS && !err)
        err = rma_wait_turn(w, &wait, t->rank);
    adi3_wait_end(&wait);
    if (!err && p->lost)
        err = proc_error(p, p->lost);
    return err;
}

static int send_chunks(struct op *o)
{
    const struct adi3_rma *x = o->x;
    size_t all = x->count * x->type->size, most = wire_chunk(x->type->basic);
    bool fetches = x->result.type, asks = !x->origin.type;
    int err = MPI_SUCCESS;

    for (size_t at = 0, some; at < all && !err; at += some) {
        some = all - at < most ? all - at : most;
        o->fields.at = at;
        err = message_await_room(o->w, o->t);
        err = err       ? err
              : asks    ? send_asking(o, at, some)
              : fetches ? send_fetching(o, at, some, some)
                        : send_data(o, at, some);
    }
    return err;
}

static int send_all(struct op *o)
{
    size_t all = o->x->count * o->x->type->size;

    switch (o->x->kind) {
    case ADI3_PUT:
        return send_data(o, 0, o->x->origin.count * o->x->origin.type->size);
    case ADI3_GET:
        return send_asking(o, 0, all);
    case ADI3_ACCUMULATE:
    case ADI3_GET_ACCUMULATE:
        return send_chunks(o);
    case ADI3_COMPARE_AND_SWAP:
        return send_swap(o);
    }
    return MPI_SUCCESS;
}

int message_start(struct adi3_win *w, struct rma_target *t, const struct adi3_rma *x,
                  struct user_op *user_op)
{
    struct op o = {
        .w = w, .t = t, .x = x, .user_op = user_op, .fields = { .disp = x->disp, .count = x->count }
    };
    int err = packet_op_reach(w, t->rank);

    if (!err)
        err = type_name(w, t, x->type, &o.fields.type);
    if (err)
        return err;
    o.lock = remote_lock_take(t, x->kind == ADI3_GET || x->result.type);
    return send_all(&o);
}

/* ---- what has been fetched ------------------------------------------------------------------- */

/* The request that a packet with data names, which awaits nothing more. */
static struct adi3_request *reply_find_request(struct dev_peer *from, const struct dev_pkt *pkt)
{
    struct wire_data f;

    p2p_get_fields(pkt, &f, sizeof f);
    struct adi3_request *r = adi3_get(&adi3_requests, (int) f.request);
    if (!r || r->kind != ADI3_ONE_SIDED || r->peer != from || r->awaits != PKT_RMA_DATA
        || pkt->payload != (f.errclass ? 0 : r->len))
        return NULL;
    r->awaits = 0;
    if (f.errclass) {
        const struct packet_op *p = r->own;
        r->error = packet_op_first_error(r);
        if (!r->error)
            r->error = wire_error(p->win, p->target->rank, f.errclass, f.disp, f.size);
    }
    return r;
}

static int whole_data(struct dev_peer *from, const struct dev_pkt *pkt, const void *payload)
{
    struct adi3_request *r = reply_find_request(from, pkt);

    if (!r)
        return p2p_refuse(from, pkt);
    if (pkt->payload)
        memcpy(r->bytes, payload, pkt->payload);
    packet_op_done(r, 0);
    return 0;
}

static int begin_data(struct dev_peer *from, const struct dev_pkt *pkt, struct dev_target *target)
{
    struct adi3_request *r = reply_find_request(from, pkt);

    if (!r)
        return p2p_refuse(from, pkt);
    target->iov[0] = (struct iovec) { r->bytes, r->len };
    target->iovcnt = 1;
    target->cookie = r;
    return 0;
}

static void end_data(struct dev_target *target, int err) { packet_op_done(target->cookie, err); }

const struct p2p_packet rma_data_packet = {
    .name = "RMA_DATA", .payload = true, .whole = whole_data, .begin = begin_data, .end = end_data
};
