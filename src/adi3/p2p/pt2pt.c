/* pt2pt.c — sends and receives as src/mpi calls them: at once where possible, else by a request. */
#include <limits.h>
#include <stdlib.h>
#include "adi3/p2p/p2p_impl.h"

int pt2pt_send(struct adi3_request *r, const struct adi3_data *d, int mode)
{
    request_data(r, d);
    return proto_send(r, mode);
}

__attribute__((noinline)) static int start_send(struct adi3_request **made, struct adi3_data d,
                                                int dest, int tag, struct adi3_comm *c, int mode)
{
    struct adi3_request *r = request_new(ADI3_SEND, c, dest, tag);

    if (!r)
        return adi3_no_memory("for a request");
    int err = pt2pt_send(r, &d, mode);
    if (err)
        request_free(r);
    else
        *made = r;
    return err;
}

__attribute__((noinline)) static int receive_fails(int source, int tag, const struct adi3_comm *c,
                                                   int mode)
{
    int err = proc_any_lost ? proc_lost_error(c, source) : MPI_SUCCESS;

    if (!err && mode & ADI3_COLL)
        err = call_error(c, tag);
    return err;
}

/* Starts a receive: takes an unexpected message, or posts r. The caller has source and tag at hand,
 * so they are not loaded from r. */
static inline __attribute__((always_inline)) void receive_start(struct adi3_request *r,
                                                                const struct adi3_data *d,
                                                                int source, int tag,
                                                                const struct adi3_comm *c, int mode)
{
    struct adi3_queues *q = c->queue[mode & ADI3_COLL];
    struct match_message *u = NULL;

    assert(adi3_lock_held() && r->kind == ADI3_RECV && r->state == ADI3_STARTED);
    request_data(r, d);
    if (source == MPI_PROC_NULL) {
        r->posted.tag = MPI_ANY_TAG;
        request_done(r);
        return;
    }
    if (q->nunexpected
        && (u = mode & ADI3_COLL ? tag_unexpected(q, source, tag)
                                 : match_unexpected(q, source, tag))) {
        match_take(q, u);
        proto_claim(r, u);
        return;
    }
    if (__builtin_expect(proc_may_fail, 0)) {
        r->error = receive_fails(source, tag, c, mode);
        if (r->error) {
            request_done(r);
            return;
        }
    }
    r->queue = q;
    match_post(q, &r->posted);
}

void adi3_claim(struct adi3_request *r, const struct adi3_data *d)
{
    struct match_message *u = r->message;

    assert(adi3_lock_held() && r->kind == ADI3_MESSAGE);
    request_data(r, d);
    r->kind = ADI3_RECV;
    r->flags = 0; /* the program waits for it again */
    if (u)
        proto_claim(r, u);
    else
        request_done(r);
}

void pt2pt_receive(struct adi3_request *r, const struct adi3_data *d, int mode)
{
    receive_start(r, d, r->posted.rank, r->posted.tag, r->comm, mode);
}

static int start_recv(struct adi3_request **made, const struct adi3_data *d, int source, int tag,
                      struct adi3_comm *c, int mode)
{
    struct adi3_request *r = request_new(ADI3_RECV, c, source, tag);

    if (!r)
        return adi3_no_memory("for a request");
    *made = r;
    receive_start(r, d, source, tag, c, mode);
    return MPI_SUCCESS;
}

/* Credit is taken before the device is called, and noted here in case it has no room. So nothing of
 * the caller has to outlive the call of the device, which can be a jump. */
static struct {
    struct adi3_proc *to;
    ptrdiff_t cost;
} reserved;

enum { NOT_TRIED = INT_MIN };

int adi3_inject(struct adi3_comm *c, int dest, int tag, const void *buf, size_t len, int mode)
{
    struct adi3_proc *to = c->proc[dest];

    assert(adi3_lock_held());
    if (__builtin_expect(len >= to->inject_below || to->credit < proto_cost(len), 0))
        return NOT_TRIED;
    reserved.to = to;
    reserved.cost = proto_cost(len);
    to->credit -= proto_cost(len);
    return to->inject_plain(&to->peer, c->send_ctx + (mode & ADI3_COLL), c->rank, tag, buf, len);
}

void adi3_refused(int rc)
{
    if (rc != NOT_TRIED)
        reserved.to->credit += reserved.cost;
}

/* A ready send: its packet says so, and is not plain. */
static int inject_ready(struct adi3_comm *c, int dest, int tag, const void *buf, size_t len,
                        int mode)
{
    struct adi3_proc *to = c->proc[dest];
    struct dev_pkt pkt = { .len = len };

    if (len >= to->inject_below || to->credit < proto_cost(len))
        return NOT_TRIED;
    proto_eager(&pkt, c, tag, len, mode);
    pkt.flags = PKT_READY;
    reserved.to = to;
    reserved.cost = proto_cost(len);
    to->credit -= proto_cost(len);
    return to->dev->ops->inject(&to->peer, &pkt, buf);
}

enum { PACKED = 1024 }; /* bytes; longer messages are packed by the device, to where they go */

static inline int inject_by_mode(struct adi3_comm *c, int dest, int tag, const void *buf,
                                 size_t len, int mode)
{
    return mode & ADI3_READY ? inject_ready(c, dest, tag, buf, len, mode)
                             : adi3_inject(c, dest, tag, buf, len, mode);
}

/* There was no room or no credit: polls once and tries again, before anything is queued. Of two
 * processes that send many messages to each other, each so makes room for the other. */
__attribute__((noinline)) static int try_again(struct adi3_comm *c, int dest, int tag,
                                               const void *buf, size_t len, int mode)
{
    int rc = len < c->proc[dest]->inject_below && progress_poll()
                 ? inject_by_mode(c, dest, tag, buf, len, mode)
                 : NOT_TRIED;

    if (rc)
        adi3_refused(rc);
    return rc;
}

/* Has the collective call with this tag failed? Then its data is incomplete, and its sends fail
 * too. */
static inline bool call_failed(const struct adi3_comm *c, int tag)
{
    return __builtin_expect(proc_may_fail, 0) && call_error(c, tag);
}

int pt2pt_inject(const struct adi3_data *d, int dest, int tag, struct adi3_comm *c, int mode)
{
    size_t len = d->count * d->type->size;
    const void *bytes = d->buf;
    char packed[PACKED];

    assert(adi3_lock_held());
    if (dest == MPI_PROC_NULL)
        return MPI_SUCCESS;
    if (mode & (ADI3_SYNC | ADI3_COLL) && (mode & ADI3_SYNC || call_failed(c, tag)))
        return DEV_AGAIN;
    if (!d->type->contig) {
        if (len > sizeof packed || len >= c->proc[dest]->inject_below)
            return DEV_AGAIN;
        adi3_pack(d, 0, packed, len);
        bytes = packed;
    }
    int rc = inject_by_mode(c, dest, tag, bytes, len, mode);
    if (__builtin_expect(rc == 0, 1))
        return MPI_SUCCESS;
    adi3_refused(rc);
    if (rc == DEV_AGAIN || rc == NOT_TRIED)
        rc = try_again(c, dest, tag, bytes, len, mode);
    if (rc == 0)
        return MPI_SUCCESS;
    return rc == DEV_AGAIN || rc == NOT_TRIED ? DEV_AGAIN : proc_error(c->proc[dest], rc);
}

/* Waits for a send to this process, which may never be received. */
__attribute__((noinline)) static int await_own(struct adi3_request *r)
{
    struct adi3_wait w = { .on = r, .what = "the receive of a message to itself" };
    int err;

    while (!(err = cancel_hopeless_send(r)) && r->state != ADI3_DONE)
        adi3_wait_turn(&w);
    adi3_wait_end(&w);
    return err;
}

int adi3_send(const struct adi3_data *d, int dest, int tag, struct adi3_comm *c, int mode)
{
    struct adi3_request *r;
    int rc = pt2pt_inject(d, dest, tag, c, mode);

    if (rc != DEV_AGAIN)
        return rc;
    int err = start_send(&r, *d, dest, tag, c, mode);
    if (err)
        return err;
    if (__builtin_expect(dest == c->rank && r->state != ADI3_DONE, 0) && !c->remote
        && !(mode & ADI3_COLL))
        err = await_own(r);
    adi3_wait_done(r);
    int sent = adi3_request_finish(r, MPI_STATUS_IGNORE);
    if (!err)
        err = sent;
    return err;
}

int adi3_isend(const struct adi3_data *d, int dest, int tag, struct adi3_comm *c, int mode,
               MPI_Request *request)
{
    struct adi3_request *r;
    int rc = pt2pt_inject(d, dest, tag, c, mode);

    if (rc == MPI_SUCCESS)
        *request = ADI3_REQUEST_COMPLETE;
    if (rc != DEV_AGAIN)
        return rc;
    int err = start_send(&r, *d, dest, tag, c, mode);
    if (!err)
        *request = request_user_acquire(r);
    return err;
}

bool adi3_irecv_quickly(struct adi3_comm *c, int source, int tag, void *buf, size_t len,
                        MPI_Request *request)
{
    struct adi3_queues *q = c->queue[0];

    assert(adi3_lock_held());
    if (__builtin_expect(q->nunexpected | proc_any_lost | match_filed(q), 0) /* one branch */
        || __builtin_expect(!adi3_requests.first, 0))
        return false;
    struct adi3_request *r = request_take(ADI3_RECV, c, source, tag);
    r->len = len;
    r->bytes = buf;
    r->queue = q;
    match_post_listed(q, &r->posted);
    *request = request_user_acquire(r);
    return true;
}

int adi3_recv(const struct adi3_data *d, int source, int tag, struct adi3_comm *c, int mode,
              MPI_Status *status)
{
    struct adi3_request *r = NULL; /* gcc cannot know that it is set */

    if (source == MPI_PROC_NULL) {
        request_status(status, MPI_PROC_NULL, MPI_ANY_TAG, 0);
        return MPI_SUCCESS;
    }
    int err = start_recv(&r, d, source, tag, c, mode);
    if (err)
        return err;
    adi3_wait_done(r);
    return adi3_request_finish(r, status);
}

int adi3_irecv(const struct adi3_data *d, int source, int tag, struct adi3_comm *c, int mode,
               MPI_Request *request)
{
    struct adi3_request *r = NULL;
    int err = start_recv(&r, d, source, tag, c, mode);

    if (!err)
        *request = request_user_acquire(r);
    return err;
}

int adi3_sendrecv(const struct adi3_exchange *x, struct adi3_comm *c, int mode, MPI_Status *status)
{
    struct adi3_request *r = NULL;
    int err = start_recv(&r, &x->in, x->source, x->recvtag, c, mode);

    if (err)
        return err;
    int sent = adi3_send(&x->out, x->dest, x->sendtag, c, mode);
    if (sent && r->state == ADI3_STARTED) { /* the partner may wait for the message that failed */
        match_unpost(r->queue, &r->posted);
        request_free(r);
        return sent;
    }
    adi3_wait_done(r);
    err = adi3_request_finish(r, status);
    if (sent)
        err = sent;
    return err;
}

/* A message that is sent at once needs no copy: then the buffer is free for the receive. */
int adi3_sendrecv_replace(const struct adi3_data *d, const struct adi3_exchange *x,
                          struct adi3_comm *c, MPI_Status *status)
{
    struct adi3_exchange both = *x;
    size_t len = d->count * d->type->size;
    int rc = pt2pt_inject(d, x->dest, x->sendtag, c, ADI3_STANDARD);

    if (rc == MPI_SUCCESS)
        return adi3_recv(d, x->source, x->recvtag, c, ADI3_STANDARD, status);
    if (rc != DEV_AGAIN)
        return rc;
    char *copy = malloc(len ? len : 1);
    if (!copy)
        return adi3_no_memory("for a copy of %zu bytes", len);
    bool unlocked = adi3_unlock_for(len);
    adi3_pack(d, 0, copy, len);
    if (unlocked)
        adi3_lock();
    both.out = (struct adi3_data) { copy, len, adi3_type_builtin(MPI_BYTE) };
    both.in = *d;
    int err = adi3_sendrecv(&both, c, ADI3_STANDARD, status);
    free(copy);
    return err;
}
