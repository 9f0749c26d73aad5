/* packet_handlers.c — eager and rendezvous: packets that arrive, and the receiver's side. */
#include <errno.h>
#include <string.h>
#include "adi3_impl.h"

/* ---- receiving ------------------------------------------------------------------------------- */

static int truncated(int rank, size_t len, size_t room)
{
    return adi3_error(MPI_ERR_TRUNCATE,
                      "the message of rank %d has %zu bytes, the receive buffer %zu", rank, len,
                      room);
}

/* Less than there is room for is an error only in a collective call. */
__attribute__((noinline)) static void other_length(struct adi3_request *r,
                                                   const struct dev_pkt *pkt, size_t len)
{
    if (pkt->ctx & ADI3_COLL)
        r->error = adi3_collchk_length(r->comm, pkt->rank, pkt->tag, len, r->len);
    if (len <= r->len)
        return;
    r->error = r->error ? r->error : truncated(pkt->rank, len, r->len);
    r->got = r->len;
}

static inline void take_envelope(struct adi3_request *r, struct dev_peer *from,
                                 const struct dev_pkt *pkt, size_t len)
{
    r->peer = from;
    r->posted.rank = pkt->rank;
    r->posted.tag = pkt->tag;
    r->got = len;
    r->state = ADI3_ACTIVE;
    if (__builtin_expect(len > r->len || (len != r->len && pkt->ctx & ADI3_COLL), 0))
        other_length(r, pkt, len);
}

/* The eager message that r matched is in its buffer, or is lost. fin: whom its sender wants it
 * told. */
static inline void received_eager(struct adi3_request *r, size_t len, uint32_t fin, int err)
{
    struct dev_peer *from = r->peer;

    if (__builtin_expect(fin && !err, 0))
        proto_fin(from, fin);
    proto_finish(r, err);
    if (!err)
        proto_taken(proc_of(from), len);
}

/* A receive takes an unexpected message, whole or still arriving. */
void proto_claim(struct adi3_request *r, struct match_message *u)
{
    take_envelope(r, u->from, &u->pkt, u->pkt.len);
    if (__builtin_expect(u->pkt.flags & PKT_READY, 0))
        check_was_ready(r, &u->pkt);
    if (!u->complete) {
        u->claimed = r;
        return;
    }
    if (u->pkt.type == PKT_RTS) {
        proto_accept(r, &u->pkt, u->data);
    } else {
        request_deliver(r, u->data);
        received_eager(r, u->pkt.len, u->pkt.sreq, 0);
    }
    unexpected_free(u);
}

/* ---- packets that arrive --------------------------------------------------------------------- */

/* Does r await such a packet? What it offered for reading is answered by FIN where CTS was
 * awaited. */
static bool awaits(const struct adi3_request *r, const struct dev_pkt *pkt)
{
    if (r->awaits == pkt->type)
        return pkt->type == PKT_CTS    ? pkt->len <= r->len
               : pkt->type == PKT_DATA ? pkt->payload <= r->got
                                       : true;
    return pkt->type == PKT_FIN && r->awaits == PKT_CTS && r->op.pkt.addr;
}

/* The request a packet names, and which now has what it awaited; NULL when nothing fits. */
static struct adi3_request *named(uint32_t cookie, const struct dev_pkt *pkt,
                                  const struct dev_peer *from)
{
    struct adi3_request *r = adi3_get(&adi3_requests, (int) cookie);

    if (!r || r->peer != from || !awaits(r, pkt))
        return NULL;
    if (r->awaits == PKT_CTS)
        proto_unexpose(r);
    r->awaits = PKT_TYPES;
    return r;
}

int proto_refuse(const struct dev_peer *from, const struct dev_pkt *pkt)
{
    (void) adi3_error(MPI_ERR_OTHER,
                      "process %d sent packet %d for requests 0x%x, 0x%x: unexpected",
                      from->world_rank, pkt->type, (unsigned) pkt->sreq, (unsigned) pkt->rreq);
    return -EPROTO;
}

static int clear_to_send(struct dev_peer *from, const struct dev_pkt *pkt)
{
    struct adi3_request *r = named(pkt->sreq, pkt, from);

    if (!r)
        return proto_refuse(from, pkt);
    r->op.pkt = (struct dev_pkt) { .type = PKT_DATA, .payload = pkt->len, .rreq = pkt->rreq };
    proto_data(r, pkt->len);
    return 0;
}

static int finished(struct dev_peer *from, const struct dev_pkt *pkt)
{
    struct adi3_request *r = named(pkt->sreq, pkt, from);

    if (!r)
        return proto_refuse(from, pkt);
    proto_sent(r, 0);
    return 0;
}

static int credited(struct dev_peer *from, const struct dev_pkt *pkt)
{
    struct adi3_proc *p = proc_of(from);

    if (pkt->key > proto_credit - (size_t) p->credit)
        return proto_refuse(from, pkt);
    p->credit += (ptrdiff_t) pkt->key;
    return 0;
}

static int marked(struct dev_peer *from, const struct dev_pkt *pkt)
{
    return quiesce_marked(proc_of(from), pkt->key) ? 0 : proto_refuse(from, pkt);
}

/* Of an RTS the payload is what pieces.c writes, or nothing. */
__attribute__((noinline)) static bool agrees(const struct dev_pkt *pkt)
{
    if (pkt->type == PKT_RTS)
        return pkt->payload == 0 || (pkt->addr && pkt->payload <= NONCONTIG_MOST);
    return pkt->payload == pkt->len;
}

/* Lengths that agree, and the rank of the one it came from. */
static inline bool sane(const struct adi3_queues *q, const struct dev_peer *from,
                        const struct dev_pkt *pkt)
{
    bool whole = __builtin_expect(pkt->flags & DEV_PLAIN, 1) || agrees(pkt);

    return (pkt->rank | pkt->tag) >= 0 && whole
           && (!q || !q->comm || comm_has_sender(q->comm, pkt->rank, from));
}

static int recv_whole(struct dev_peer *from, const struct dev_pkt *pkt, const void *payload);

/* A packet that nobody has asked for yet. */
__attribute__((noinline)) static int keep(struct adi3_queues *q, struct dev_peer *from,
                                          const struct dev_pkt *pkt, const void *payload)
{
    int tag = pkt->ctx & ADI3_COLL ? collchk_arrives(q, pkt) : 0;

    if (tag) {
        struct dev_pkt ours = *pkt;
        ours.tag = tag;
        return recv_whole(from, &ours, payload);
    }
    struct match_message *u = unexpected_enqueue(q, from, pkt, true);
    if (u && pkt->payload)
        memcpy(u->data, payload, pkt->payload);
    return u ? 0 : -ENOMEM;
}

static int asked(struct dev_peer *from, const struct dev_pkt *pkt, const void *payload)
{
    struct adi3_queues *q = comm_queues(pkt->ctx);

    if (!sane(q, from, pkt))
        return proto_refuse(from, pkt);
    struct match_entry *e = q ? match_posted(q, pkt->rank, pkt->tag) : NULL;
    if (!e)
        return keep(q, from, pkt, payload);
    struct adi3_request *r = OS_OWNER(e, struct adi3_request, posted);
    take_envelope(r, from, pkt, pkt->len);
    proto_accept(r, pkt, payload);
    return 0;
}

static inline uint32_t fin_of(const struct dev_pkt *pkt)
{
    return pkt->flags & DEV_PLAIN ? 0 : pkt->sreq;
}

static inline int whole_message(struct dev_peer *from, const struct dev_pkt *pkt,
                                const void *payload)
{
    struct adi3_queues *q = comm_queues(pkt->ctx);

    if (__builtin_expect(!sane(q, from, pkt), 0))
        return proto_refuse(from, pkt);
    struct match_entry *e = q ? match_posted(q, pkt->rank, pkt->tag) : NULL;
    if (!e)
        return keep(q, from, pkt, payload);
    struct adi3_request *r = OS_OWNER(e, struct adi3_request, posted);
    take_envelope(r, from, pkt, pkt->payload);
    if (__builtin_expect(r->got == 8 && !r->scattered, 1))
        memcpy(r->bytes, payload, 8);
    else
        request_deliver(r, payload);
    received_eager(r, pkt->payload, fin_of(pkt), 0);
    return r == request_awaited;
}

static int whole_data(struct dev_peer *from, const struct dev_pkt *pkt, const void *payload)
{
    struct adi3_request *r = named(pkt->rreq, pkt, from);

    if (!r)
        return proto_refuse(from, pkt);
    r->got = pkt->payload;
    request_deliver(r, payload);
    proto_finish(r, 0);
    return 0;
}

__attribute__((noinline)) static int other(struct dev_peer *from, const struct dev_pkt *pkt,
                                           const void *payload)
{
    if (pkt->flags & DEV_PLAIN)
        return proto_refuse(from, pkt); /* it has no names in it */
    switch ((enum adi3_pkt_type) pkt->type) {
    case PKT_EAGER:
    case PKT_TYPES:
        break;
    case PKT_RTS:
        return asked(from, pkt, payload);
    case PKT_DATA:
        return whole_data(from, pkt, payload);
    case PKT_CTS:
        return pkt->payload ? proto_refuse(from, pkt) : clear_to_send(from, pkt);
    case PKT_FIN:
        return pkt->payload ? proto_refuse(from, pkt) : finished(from, pkt);
    case PKT_CREDIT:
        return pkt->payload ? proto_refuse(from, pkt) : credited(from, pkt);
    case PKT_QUIESCE:
        return pkt->payload ? proto_refuse(from, pkt) : marked(from, pkt);
    case PKT_CANCEL:
        return pkt->payload ? proto_refuse(from, pkt) : cancel_asked(from, pkt);
    case PKT_CANCELLED:
        return pkt->payload ? proto_refuse(from, pkt) : cancel_answered(from, pkt);
    case PKT_ASK:
    case PKT_DIFFERS:
        return mismatch_arrived(from, pkt, payload);
    }
    return proto_refuse(from, pkt);
}

static int recv_whole(struct dev_peer *from, const struct dev_pkt *pkt, const void *payload)
{
    if (__builtin_expect(pkt->type == PKT_EAGER, 1))
        return whole_message(from, pkt, payload);
    return other(from, pkt, payload);
}

/* What a target's cookie says of itself in its low bits. */
enum {
    TARGET_DATA = 0,
    TARGET_EAGER = 1,
    TARGET_UNEXPECTED = 2,
    TARGET_MISMATCH = 3,
    TARGET_BITS = 3
};

static void target_buffer(struct dev_target *target, void *buf, size_t len, uintptr_t cookie)
{
    target->iov[0] = (struct iovec) { buf, len };
    target->iovcnt = len > 0;
    target->cookie = (void *) cookie;
}

static void target_request(struct dev_target *target, struct adi3_request *r, int what)
{
    target_buffer(target, r->bytes, r->scattered ? 0 : r->got, (uintptr_t) r | (uintptr_t) what);
    target->memory = r->scattered ? &r->memory : NULL;
}

static struct match_message *begin_unexpected(struct adi3_queues *q, struct dev_peer *from,
                                              const struct dev_pkt *pkt, struct dev_target *target)
{
    struct match_message *u = unexpected_enqueue(q, from, pkt, false);

    if (u)
        target_buffer(target, u->data, pkt->payload, (uintptr_t) u | TARGET_UNEXPECTED);
    return u;
}

/* Its payload is not r's: it is kept until that is there, claimed already. */
static int begin_asked(struct adi3_request *r, struct adi3_queues *q, struct dev_peer *from,
                       const struct dev_pkt *pkt, struct dev_target *target)
{
    struct dev_pkt rts = *pkt;

    rts.flags &= (uint8_t) ~PKT_READY; /* r is posted */
    struct match_message *u = begin_unexpected(q, from, &rts, target);
    if (!u)
        return -ENOMEM;
    match_take(q, u);
    proto_claim(r, u);
    return 0;
}

static int begin_message(struct dev_peer *from, const struct dev_pkt *pkt,
                         struct dev_target *target);

static int begin_kept(struct adi3_queues *q, struct dev_peer *from, const struct dev_pkt *pkt,
                      struct dev_target *target)
{
    int tag = pkt->ctx & ADI3_COLL ? collchk_arrives(q, pkt) : 0;
    struct dev_pkt ours = *pkt;

    ours.tag = tag;
    if (tag)
        return begin_message(from, &ours, target);
    return begin_unexpected(q, from, pkt, target) ? 0 : -ENOMEM;
}

static int begin_message(struct dev_peer *from, const struct dev_pkt *pkt,
                         struct dev_target *target)
{
    struct adi3_queues *q = comm_queues(pkt->ctx);

    if (!sane(q, from, pkt))
        return proto_refuse(from, pkt);
    struct match_entry *e = q ? match_posted(q, pkt->rank, pkt->tag) : NULL;
    if (!e)
        return begin_kept(q, from, pkt, target);
    if (pkt->type == PKT_RTS)
        return begin_asked(OS_OWNER(e, struct adi3_request, posted), q, from, pkt, target);
    struct adi3_request *r = OS_OWNER(e, struct adi3_request, posted);
    take_envelope(r, from, pkt, pkt->payload);
    r->op.pkt.len = pkt->payload;
    r->op.pkt.sreq = fin_of(pkt);
    target_request(target, r, TARGET_EAGER);
    return 0;
}

static int recv_begin(struct dev_peer *from, const struct dev_pkt *pkt, struct dev_target *target)
{
    bool rts = pkt->type == PKT_RTS && !(pkt->flags & DEV_PLAIN);

    if (pkt->type == PKT_EAGER || rts)
        return begin_message(from, pkt, target);
    if (pkt->flags & DEV_PLAIN)
        return proto_refuse(from, pkt);
    if (pkt->type == PKT_ASK || pkt->type == PKT_DIFFERS) {
        int rc = mismatch_begin(from, pkt, target);
        target->cookie = (void *) ((uintptr_t) target->cookie | (rc ? 0 : TARGET_MISMATCH));
        return rc;
    }
    struct adi3_request *r = pkt->type == PKT_DATA ? named(pkt->rreq, pkt, from) : NULL;
    if (!r)
        return proto_refuse(from, pkt);
    r->got = pkt->payload;
    target_request(target, r, TARGET_DATA);
    return 0;
}

static void end_unexpected(struct match_message *u, int err)
{
    struct adi3_request *r = u->claimed;

    u->complete = true;
    if (r && r->kind == ADI3_MESSAGE) {
        if (err)
            probe_broken(r, err);
    } else if (r && u->pkt.type == PKT_RTS) {
        if (err)
            proto_finish(r, err);
        else
            proto_accept(r, &u->pkt, u->data);
        unexpected_free(u);
    } else if (r) {
        if (!err)
            request_deliver(r, u->data);
        received_eager(r, u->pkt.len, u->pkt.sreq, err);
        unexpected_free(u);
    } else if (!u->all.next) { /* its communicator has ended meanwhile */
        if (!err && u->pkt.type == PKT_EAGER)
            proto_taken(proc_of(u->from), u->pkt.len);
        unexpected_free(u);
    } else if (err) { /* half a message: as if it had never come */
        match_take(comm_queues(u->pkt.ctx), u);
        unexpected_free(u);
    }
}

static void recv_end(struct dev_target *target, int err)
{
    uintptr_t cookie = (uintptr_t) target->cookie;
    void *object = (void *) (cookie & ~(uintptr_t) TARGET_BITS);
    const struct dev_pkt *pkt;

    switch (cookie & TARGET_BITS) {
    case TARGET_DATA:
        proto_finish(object, err);
        break;
    case TARGET_EAGER:
        pkt = &((struct adi3_request *) object)->op.pkt;
        received_eager(object, pkt->len, pkt->sreq, err);
        break;
    case TARGET_UNEXPECTED:
        end_unexpected(object, err);
        break;
    case TARGET_MISMATCH:
        mismatch_end(object, err);
        break;
    }
}

/* ---- peers ----------------------------------------------------------------------------------- */

static bool is_member(const struct adi3_comm *c, const struct adi3_proc *p)
{
    for (int i = 0; i < c->peers; i++)
        if (c->proc[i] == p)
            return true;
    return false;
}

/* Does r wait for something only p can send? Parts that a device holds are reported by the
 * device. */
static bool depends_on(const struct adi3_request *r, const struct adi3_proc *p)
{
    if (r->state == ADI3_DONE || r->state == ADI3_INIT || r->kind >= ADI3_MESSAGE)
        return false;
    if (r->peer)
        return r->peer == &p->peer && (r->awaits != PKT_TYPES || r->recalled);
    int rank = r->posted.rank;
    return rank >= 0 ? r->comm->proc[rank] == p : is_member(r->comm, p);
}

/* The parts that only the peer could end. */
static void lose_send(struct adi3_request *r, int err)
{
    bool awaited = r->awaits != PKT_TYPES, recalled = r->recalled;

    if (r->awaits == PKT_CTS)
        proto_unexpose(r);
    r->awaits = PKT_TYPES;
    r->recalled = false;
    if (awaited && recalled)
        r->parts--;
    proto_sent(r, err);
}

void proto_peer_lost(struct adi3_proc *p)
{
    struct adi3_request *next;

    for (struct adi3_request *r = adi3_next(&adi3_requests, NULL); r; r = next) {
        next = adi3_next(&adi3_requests, r);
        if (!depends_on(r, p))
            continue;
        if (r->kind == ADI3_SEND) {
            lose_send(r, p->lost);
            continue;
        }
        r->awaits = PKT_TYPES;
        if (!r->peer)
            match_unpost(r->queue, &r->posted);
        r->peer = &p->peer;
        proto_finish(r, p->lost);
    }
}

static void peer_lost(struct dev_peer *peer, int err) { proc_lost(proc_of(peer), err); }

static struct dev_peer *peer_of(int world_rank)
{
    if (world_rank < 0 || world_rank >= adi3_job.size)
        return NULL;
    struct adi3_proc *p = &adi3_procs[world_rank];
    return p->dev || !proc_add(p) ? &p->peer : NULL;
}

const struct dev_upcalls adi3_upcalls = { recv_whole, recv_begin, recv_end,
                                          peer_lost,  peer_of,    noncontig_exposed };
