/* receive.c — messages that arrive: eager ones, and those that are announced by an RTS.
 *
 * A message that matches a posted receive goes into its buffer. Any other is enqueued as
 * unexpected. Eager packets are tested for first; all others go through the table of packets.c. */
#include <errno.h>
#include "adi3/p2p/packets_impl.h"

/* ---- the receiver's side --------------------------------------------------------------------- */

static int truncation_error(int rank, size_t len, size_t room)
{
    return adi3_error(MPI_ERR_TRUNCATE,
                      "the message of rank %d has %zu bytes, the receive buffer %zu", rank, len,
                      room);
}

/* The message is longer than the buffer: an error. Shorter, it is one only in a collective call. */
__attribute__((noinline)) static void other_length(struct adi3_request *r,
                                                   const struct dev_pkt *pkt, size_t len)
{
    if (pkt->ctx & ADI3_COLL && p2p_mismatch)
        r->error = p2p_mismatch->length(r->comm, pkt->rank, pkt->tag, len, r->len);
    if (len <= r->len)
        return;
    if (!r->error)
        r->error = truncation_error(pkt->rank, len, r->len);
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

/* The eager message that r matched is in its buffer, or is lost. fin: the send that awaits a
 * FIN, or 0. */
static inline void received_eager(struct adi3_request *r, size_t len, uint32_t fin, int err)
{
    struct dev_peer *from = r->peer;

    if (__builtin_expect(fin && !err, 0))
        proto_fin(from, fin);
    proto_finish(r, err);
    if (!err)
        proto_return_credit(proc_of(from), len);
}

void proto_claim(struct adi3_request *r, struct match_message *u)
{
    assert(adi3_lock_held() && r->kind == ADI3_RECV && !u->all.next && u->from);
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

/* ---- packets that are whole ------------------------------------------------------------------ */

/* The payload of an RTS is a layout, or nothing. */
__attribute__((noinline)) static bool lengths_match(const struct dev_pkt *pkt)
{
    if (pkt->type == PKT_RTS)
        return pkt->payload == 0 || (pkt->addr && pkt->payload <= NONCONTIG_MOST);
    return pkt->payload == pkt->len;
}

/* Do lengths match, and is the rank that of the sender? */
static inline bool is_valid(const struct adi3_queues *q, const struct dev_peer *from,
                            const struct dev_pkt *pkt)
{
    bool whole = __builtin_expect(pkt->flags & DEV_PLAIN, 1) || lengths_match(pkt);

    return (pkt->rank | pkt->tag) >= 0 && whole
           && (!q || !q->comm || comm_has_sender(q->comm, pkt->rank, from));
}

static int recv_whole(struct dev_peer *from, const struct dev_pkt *pkt, const void *payload);

/* No posted receive matches the packet. */
__attribute__((noinline)) static int receive_unmatched(struct adi3_queues *q, struct dev_peer *from,
                                                       const struct dev_pkt *pkt,
                                                       const void *payload)
{
    int tag = pkt->ctx & ADI3_COLL ? tag_to_match(q, pkt) : 0;

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

static int receive_rts(struct dev_peer *from, const struct dev_pkt *pkt, const void *payload)
{
    struct adi3_queues *q = queues_of(pkt->ctx);

    assert(adi3_lock_held());
    if (!is_valid(q, from, pkt))
        return p2p_refuse(from, pkt);
    struct match_entry *e = q ? match_posted(q, pkt->rank, pkt->tag) : NULL;
    if (!e)
        return receive_unmatched(q, from, pkt, payload);
    struct adi3_request *r = OS_OWNER(e, struct adi3_request, posted);
    take_envelope(r, from, pkt, pkt->len);
    proto_accept(r, pkt, payload);
    return 0;
}

static inline uint32_t fin_of(const struct dev_pkt *pkt)
{
    return pkt->flags & DEV_PLAIN ? 0 : pkt->sreq;
}

__attribute__((noinline)) static int whole_message(struct dev_peer *from, const struct dev_pkt *pkt,
                                                   const void *payload)
{
    struct adi3_queues *q = queues_of(pkt->ctx);

    assert(adi3_lock_held());
    if (__builtin_expect(!is_valid(q, from, pkt), 0))
        return p2p_refuse(from, pkt);
    struct match_entry *e = q ? match_posted(q, pkt->rank, pkt->tag) : NULL;
    if (!e)
        return receive_unmatched(q, from, pkt, payload);
    struct adi3_request *r = OS_OWNER(e, struct adi3_request, posted);
    take_envelope(r, from, pkt, pkt->payload);
    request_deliver(r, payload);
    received_eager(r, pkt->payload, fin_of(pkt), 0);
    return r == request_awaited;
}

/* The most frequent message is of one word, for the receive that was posted first. recv_whole()
 * takes it without a call of a function, so that it has no registers to save. */
enum { WORD = 8 };

/* Removes and returns the receive of such a message; NULL: it is none. */
static inline struct adi3_request *match_word(const struct dev_peer *from,
                                              const struct dev_pkt *pkt)
{
    struct adi3_queues *q = queues_found.queues;

    if (pkt->payload != WORD || pkt->type != PKT_EAGER || !(pkt->flags & DEV_PLAIN) || !q
        || queues_found.ctx != pkt->ctx || (pkt->rank | pkt->tag) < 0 || !q->comm
        || !comm_has_sender(q->comm, pkt->rank, from))
        return NULL;
    struct match_entry *e = match_front(q, pkt->rank, pkt->tag);
    struct adi3_request *r = e ? OS_OWNER(e, struct adi3_request, posted) : NULL;
    if (!r || r->len != WORD || r->scattered)
        return NULL;
    match_remove_front(q, e);
    return r;
}

/* Ends recv_whole() where that calls functions. */
__attribute__((noinline)) static int received_word(struct adi3_request *r)
{
    received_eager(r, WORD, 0, 0);
    return r == request_awaited;
}

static int recv_whole(struct dev_peer *from, const struct dev_pkt *pkt, const void *payload)
{
    struct adi3_proc *sender = proc_of(from);
    struct adi3_request *r = match_word(from, pkt);

    assert(adi3_lock_held());
    if (!r)
        return pkt->type == PKT_EAGER ? whole_message(from, pkt, payload)
                                      : packet_whole(from, pkt, payload);
    r->peer = from;
    r->posted.rank = pkt->rank;
    r->posted.tag = pkt->tag;
    r->got = WORD;
    memcpy(r->bytes, payload, WORD);
    if (__builtin_expect(thread_sleepers || r->flags || proto_credit_due(sender, WORD), 0))
        return received_word(r);
    r->state = ADI3_DONE;
    sender->pending_credit += (size_t) proto_cost(WORD);
    return r == request_awaited;
}

/* ---- packets whose payload is still coming --------------------------------------------------- */

/* In the low bit of a target's cookie: the rest is an unexpected message. Else it is a request. */
enum { UNEXPECTED = 1 };

static struct match_message *begin_unexpected(struct adi3_queues *q, struct dev_peer *from,
                                              const struct dev_pkt *pkt, struct dev_target *target)
{
    struct match_message *u = unexpected_enqueue(q, from, pkt, false);

    if (u) {
        target->iov[0] = (struct iovec) { u->data, pkt->payload };
        target->iovcnt = pkt->payload > 0;
        target->cookie = (void *) ((uintptr_t) u | UNEXPECTED);
    }
    return u;
}

/* An RTS whose layout is still coming. Since the payload is not for the buffer of r, the packet
 * becomes an unexpected message that r has claimed. */
static int begin_rts(struct adi3_request *r, struct adi3_queues *q, struct dev_peer *from,
                     const struct dev_pkt *pkt, struct dev_target *target)
{
    struct dev_pkt rts = *pkt;

    rts.flags &= (uint8_t) ~PKT_READY; /* it is right: r is posted */
    struct match_message *u = begin_unexpected(q, from, &rts, target);
    if (!u)
        return -ENOMEM;
    match_take(q, u);
    proto_claim(r, u);
    return 0;
}

static int begin_message(struct dev_peer *from, const struct dev_pkt *pkt,
                         struct dev_target *target);

static int begin_unmatched(struct adi3_queues *q, struct dev_peer *from, const struct dev_pkt *pkt,
                           struct dev_target *target)
{
    int tag = pkt->ctx & ADI3_COLL ? tag_to_match(q, pkt) : 0;
    struct dev_pkt ours = *pkt;

    ours.tag = tag;
    if (tag)
        return begin_message(from, &ours, target);
    return begin_unexpected(q, from, pkt, target) ? 0 : -ENOMEM;
}

static int begin_message(struct dev_peer *from, const struct dev_pkt *pkt,
                         struct dev_target *target)
{
    struct adi3_queues *q = queues_of(pkt->ctx);

    assert(adi3_lock_held());
    if (!is_valid(q, from, pkt))
        return p2p_refuse(from, pkt);
    struct match_entry *e = q ? match_posted(q, pkt->rank, pkt->tag) : NULL;
    if (!e)
        return begin_unmatched(q, from, pkt, target);
    if (pkt->type == PKT_RTS)
        return begin_rts(OS_OWNER(e, struct adi3_request, posted), q, from, pkt, target);
    struct adi3_request *r = OS_OWNER(e, struct adi3_request, posted);
    take_envelope(r, from, pkt, pkt->payload);
    r->op.pkt.len = pkt->payload;
    r->op.pkt.sreq = fin_of(pkt);
    target_request(target, r);
    return 0;
}

static void end_unexpected(struct match_message *u, int err)
{
    struct adi3_request *r = u->claimed;

    assert(!u->complete);
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
    } else if (!u->all.next) { /* it was discarded meanwhile, as its communicator was freed */
        if (!err && u->pkt.type == PKT_EAGER)
            proto_return_credit(proc_of(u->from), u->pkt.len);
        unexpected_free(u);
    } else if (err) { /* a part of a message: as if it had never come */
        match_take(queues_of(u->pkt.ctx), u);
        unexpected_free(u);
    }
}

static void end_eager(struct dev_target *target, int err)
{
    uintptr_t cookie = (uintptr_t) target->cookie;

    if (cookie & UNEXPECTED) {
        end_unexpected((struct match_message *) (cookie & ~(uintptr_t) UNEXPECTED), err);
        return;
    }
    struct adi3_request *r = target->cookie;
    received_eager(r, r->op.pkt.len, r->op.pkt.sreq, err);
}

const struct p2p_packet eager_packet = {
    .name = "EAGER", .payload = true, .whole = recv_whole, .begin = begin_message, .end = end_eager
};
const struct p2p_packet rts_packet = {
    .name = "RTS", .payload = true, .whole = receive_rts, .begin = begin_message, .end = end_eager
};

/* ---- what devices call ----------------------------------------------------------------------- */

static void peer_lost(struct dev_peer *peer, int err)
{
    assert(adi3_lock_held() && err < 0);
    proc_lost(proc_of(peer), err);
}

static const struct dev_job *job_of(uint64_t id)
{
    const struct proc_job *job = proc_job_find(id);

    return job && !job->gone && !job->no_secret ? &job->dev : NULL;
}

static struct dev_peer *peer_ensure_added(struct adi3_proc *p)
{
    return p->dev || (proc_may_send(p) && !proc_add(p)) ? &p->peer : NULL;
}

static struct dev_peer *peer_of(const struct dev_job *job, int rank)
{
    if (rank < 0 || rank >= job->size)
        return NULL;
    return peer_ensure_added(proc_at(OS_OWNER(job, const struct proc_job, dev)->first + rank));
}

static struct dev_peer *peer_here(int index)
{
    struct adi3_proc *p = node_proc(index);

    return p ? peer_ensure_added(p) : NULL;
}

const struct dev_upcalls p2p_upcalls = { .recv = recv_whole,
                                         .recv_begin = packet_begin,
                                         .recv_end = packet_end,
                                         .peer_lost = peer_lost,
                                         .job = job_of,
                                         .peer = peer_of,
                                         .peer_here = peer_here,
                                         .memory = noncontig_exposed };
