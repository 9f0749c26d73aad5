/* serve.c — operations by messages: the target.
 *
 * All that a packet says is checked before a byte of the window is touched. What is outside the
 * window, or of another type, is the origin's mistake: it is told with its next flush, or instead
 * of the data. What makes no sense loses the peer. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "adi3/rma/messages/wire.h"

struct served { /* an operation, and what is needed until it is done */
    struct rma_pending pending;
    struct wire_op f;
    enum adi3_rma_kind kind;
    uint32_t sync; /* enum rma_sync, that comes behind it; or 0 */
    uint32_t lock; /* enum rma_kind + 1, of the lock that it asks for; or 0 */
    const struct adi3_op *op;
    struct adi3_type *type;    /* with a reference */
    struct adi3_data d;        /* in the window */
    int errclass;              /* it is not done */
    size_t len;                /* of the payload */
    char *buffer;              /* the payload, which may not go into the window yet; or NULL */
    struct adi3_request *into; /* of a put into noncontiguous memory: devices write by it */
};

/* ---- what the packet says -------------------------------------------------------------------- */

static bool has_fetch_result(const struct served *s) { return s->f.request != 0 && !s->sync; }

/* Bytes of the chunk of an accumulate operation that begins at f.at, which is less than `all`. */
static size_t chunk_len(const struct served *s, size_t all)
{
    size_t left = all - (size_t) s->f.at, most = wire_chunk(s->type->basic);

    return left < most ? left : most;
}

/* One element as it is: what rma_compare_swap() compares is from the begin of the type on. */
static bool swap_makes_sense(const struct served *s)
{
    const struct adi3_type *t = s->type;

    return s->f.count == 1 && t->basic && t->size == t->basic->size && t->size <= 16 && t->contig
           && t->true_lb == 0 && s->len == 2 * t->size && has_fetch_result(s);
}

/* All chunks are full but the last; one without operand has the same length. */
static bool chunk_makes_sense(const struct served *s, size_t all)
{
    const struct adi3_type *basic = s->type->basic;

    if (!basic || !basic->size || !s->op || !adi3_op_accumulates(s->op, basic)
        || s->type->size % basic->size || s->f.at % basic->size || s->f.at >= all)
        return false;
    bool bare = s->len == 0 && s->op->handle == MPI_NO_OP;
    return (bare || s->len == chunk_len(s, all))
           && (s->kind == ADI3_GET_ACCUMULATE) == has_fetch_result(s);
}

/* Whether lengths, types and operations go together: true for all that an origin sends. */
static bool makes_sense(const struct served *s)
{
    size_t all;

    if ((s->sync && !wire_goes_with(s->sync))
        || (s->lock && (s->lock > RMA_JOINS + 1 || s->pending.origin->ticket)))
        return false;
    if (__builtin_mul_overflow((size_t) s->f.count, s->type->size, &all) || all > PTRDIFF_MAX
        || !all)
        return false;
    switch (s->kind) {
    case ADI3_PUT:
        return s->len <= all && s->f.at == 0 && !has_fetch_result(s);
    case ADI3_GET:
        return s->len == 0 && s->f.at == 0 && has_fetch_result(s);
    case ADI3_COMPARE_AND_SWAP:
        return swap_makes_sense(s);
    case ADI3_ACCUMULATE:
    case ADI3_GET_ACCUMULATE:
        return chunk_makes_sense(s, all);
    }
    return false;
}

/* The elements in the window. */
static int served_find_elements(struct served *s)
{
    const struct adi3_win *w = s->pending.win;
    const struct adi3_rma x = { .disp = s->f.disp, .count = s->f.count, .type = s->type };
    struct rma_target own = {
        .rank = w->comm->rank,
        .quick = { .disp_unit = w->disp_unit, .size = (uint64_t) w->size, .base = w->base }
    };
    int err = rma_local_data(w, &own, &x, &s->d);

    return err ? err & ADI3_CLASS_MASK : MPI_SUCCESS;
}

static void served_drop(struct served *s)
{
    if (s->into)
        request_free(s->into);
    if (s->type)
        adi3_type_release(s->type);
    free(s->buffer);
}

static void op_packet_run(struct rma_pending *x);

/* Reads the packet. NULL: it makes no sense, or there is no memory. */
static struct served *read_packet(struct dev_peer *from, const struct dev_pkt *pkt)
{
    struct served *s = calloc(1, sizeof *s);
    struct adi3_win *w;
    struct rma_target *t;

    if (!s || !packet_op_origin(from, pkt, &w, &t)) {
        free(s);
        return NULL;
    }
    p2p_get_fields(pkt, &s->f, sizeof s->f);
    s->pending = (struct rma_pending) { .win = w, .origin = t, .run = op_packet_run };
    s->kind = (enum adi3_rma_kind)(pkt->tag & WIRE_BYTE);
    s->op = adi3_op_builtin(adi3_builtin_handle(ADI3_OP, pkt->tag >> WIRE_OP_SHIFT & WIRE_BYTE));
    s->len = pkt->payload;
    s->sync = (uint32_t) pkt->tag >> WIRE_SYNC_SHIFT & WIRE_BYTE;
    s->lock = (uint32_t) pkt->tag >> WIRE_LOCK_SHIFT;
    s->type = s->kind > ADI3_COMPARE_AND_SWAP ? NULL : type_named(t, s->f.type);
    if (s->type)
        s->type->refs++;
    if (!s->type || !makes_sense(s)) {
        served_drop(s);
        free(s);
        return NULL;
    }
    s->errclass = served_find_elements(s);
    return s;
}

/* ---- doing it -------------------------------------------------------------------------------- */

/* Sends what has been fetched, len bytes of d or of buffer, which is taken over; or the error. */
static void send_fetched(struct adi3_win *w, const struct rma_target *t, const struct wire_data *f,
                         const struct adi3_data *d, char *buffer, size_t len)
{
    struct dev_pkt pkt = packet_op_header(w, PKT_RMA_DATA, f->errclass ? 0 : len);
    const char *bytes = buffer ? buffer : d ? adi3_one_range(d) : NULL;

    p2p_put_fields(&pkt, f, sizeof *f);
    int rc = packet_op_reach(w, t->rank) ? -ECONNRESET
             : bytes || !pkt.payload     ? packet_op_inject(w, t->rank, &pkt, bytes)
                                         : DEV_AGAIN;
    if (rc != DEV_AGAIN) { /* an error: the origin is lost */
        free(buffer);
        return;
    }
    const struct packet_op packet_op = { .buffer = buffer };
    struct adi3_request *r = packet_op_new(w, t->rank, &packet_op);
    if (!r) {
        proc_lost(w->comm->proc[t->rank], -ENOMEM);
        return;
    }
    if (!buffer && pkt.payload)
        request_data(r, d);
    packet_op_send(r, &pkt, pkt.payload);
}

/* The first error is kept for the next flush of the origin. */
static void keep_error(const struct served *s)
{
    struct rma_target *t = s->pending.origin;

    if (!t->failed.errclass)
        t->failed = (struct rma_sync_fields) { .errclass = s->errclass,
                                               .disp = s->f.disp,
                                               .size = (uint64_t) s->pending.win->size,
                                               .value = t->denied };
}

static void served_report_error(const struct served *s)
{
    const struct wire_data f = { s->f.request, s->errclass, s->f.disp,
                                 (uint64_t) s->pending.win->size };

    if (has_fetch_result(s))
        send_fetched(s->pending.win, s->pending.origin, &f, NULL, NULL, 0);
    else
        keep_error(s);
}

static int served_combine(struct served *s, const char *payload, char *fetched, size_t len)
{
    struct adi3_win *w = s->pending.win;
    const struct rma_place p = { w->memory, &w->memory->control[w->memory->me], true };
    const struct rma_packed x = { s->f.at, len, payload, fetched };

    if (s->kind == ADI3_COMPARE_AND_SWAP)
        return rma_compare_swap(&p, s->d.buf, s->type, payload + len, payload, fetched);
    return rma_accumulate(&p, &s->d, &x, s->op);
}

/* Accumulate operations of all kinds. */
static void served_accumulate(struct served *s, const char *payload)
{
    size_t len =
        s->kind == ADI3_COMPARE_AND_SWAP ? s->type->size : chunk_len(s, s->d.count * s->type->size);
    char *fetched = has_fetch_result(s) ? malloc(len) : NULL;
    int err =
        has_fetch_result(s) && !fetched ? MPI_ERR_NO_MEM : served_combine(s, payload, fetched, len);

    if (err) {
        s->errclass = err & ADI3_CLASS_MASK;
        free(fetched);
        served_report_error(s);
    } else if (fetched) {
        const struct wire_data f = { .request = s->f.request };
        send_fetched(s->pending.win, s->pending.origin, &f, NULL, fetched, len);
    }
}

/* The lock that it asked for has come, or will not. Data or an answer to the sync packet say so,
 * too. */
static void say_locked(struct adi3_win *w, const struct served *s)
{
    static const struct rma_sync_fields none;

    if (s->lock && s->sync != RMA_SYNC_UNLOCK && !has_fetch_result(s))
        (void) rma_sync_send(w, s->pending.origin->rank, RMA_SYNC_LOCKED, &none);
}

static void served_execute(struct served *s, const void *payload)
{
    const struct wire_data f = { .request = s->f.request };

    if (s->pending.origin->denied && !s->errclass)
        s->errclass = MPI_ERR_OTHER;
    if (s->errclass)
        served_report_error(s);
    else if (s->kind == ADI3_GET)
        send_fetched(s->pending.win, s->pending.origin, &f, &s->d, NULL,
                     s->d.count * s->type->size);
    else if (s->kind != ADI3_PUT)
        served_accumulate(s, payload);
    else if (payload)
        adi3_unpack(&s->d, 0, payload, s->len);
    say_locked(s->pending.win, s);
    if (s->sync) {
        const struct rma_sync_fields n = { .number = s->f.request };
        rma_sync_apply(s->pending.win, s->pending.origin, (enum rma_sync) s->sync, &n);
    }
}

/* All before it is done, and its payload is here: that of a put is in the window already. */
static void op_packet_run(struct rma_pending *x)
{
    struct served *s = OS_OWNER(x, struct served, pending);

    served_execute(s, s->kind == ADI3_PUT && !s->buffer ? NULL : s->buffer);
    served_drop(s);
}

/* False without memory. */
static bool ask_for_lock(const struct served *s)
{
    return !s->lock
           || !rma_lock_queued(s->pending.win, s->pending.origin, (enum rma_kind)(s->lock - 1));
}

static int op_packet_whole(struct dev_peer *from, const struct dev_pkt *pkt, const void *payload)
{
    struct served *s = read_packet(from, pkt);

    if (!s)
        return p2p_refuse(from, pkt);
    if (!ask_for_lock(s)) {
        served_drop(s);
        free(s);
        return -ENOMEM;
    }
    if (!s->pending.origin->after) {
        served_execute(s, payload);
        served_drop(s);
        free(s);
        return 0;
    }
    if (s->len && !(s->buffer = malloc(s->len))) {
        served_drop(s);
        free(s);
        return -ENOMEM;
    }
    if (s->len)
        memcpy(s->buffer, payload, s->len);
    s->pending.arrived = true;
    pending_add(&s->pending);
    return 0;
}

/* Where the payload goes: into the window, or into a buffer. */
static bool payload_set_target(struct served *s, struct dev_target *target)
{
    struct adi3_win *w = s->pending.win;
    char *bytes = s->errclass ? NULL : adi3_one_range(&s->d);

    if (s->kind != ADI3_PUT || s->lock)
        bytes = s->buffer = malloc(s->len);
    else if (s->errclass)
        return true; /* what the target has no room for is dropped */
    target->iov[0] = (struct iovec) { bytes, s->len };
    target->iovcnt = bytes != NULL;
    if (bytes || s->buffer || s->kind != ADI3_PUT)
        return bytes;
    s->into = request_new(ADI3_ONE_SIDED, w->comm, w->comm->rank, 0);
    if (!s->into)
        return false;
    s->into->flags = REQUEST_RELEASED;
    request_data(s->into, &s->d);
    target->memory = &s->into->memory;
    return true;
}

static int op_packet_begin(struct dev_peer *from, const struct dev_pkt *pkt,
                           struct dev_target *target)
{
    struct served *s = read_packet(from, pkt);

    if (!s)
        return p2p_refuse(from, pkt);
    if (!payload_set_target(s, target) || !ask_for_lock(s)) {
        served_drop(s);
        free(s);
        return -ENOMEM;
    }
    target->cookie = s;
    pending_add(&s->pending);
    return 0;
}

/* Operations of an origin that was lost in the middle are not done. */
static void op_packet_end(struct dev_target *target, int err)
{
    struct served *s = target->cookie;

    if (err && !s->errclass)
        s->errclass = MPI_ERR_OTHER;
    if (err)
        s->sync = 0;
    pending_arrived(&s->pending);
}

const struct p2p_packet rma_op_packet = { .name = "RMA",
                                          .payload = true,
                                          .whole = op_packet_whole,
                                          .begin = op_packet_begin,
                                          .end = op_packet_end };
