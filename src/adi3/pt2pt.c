/* pt2pt.c — the message-passing face of ADI3. */
#include <limits.h>
#include <stdlib.h>
#include "adi3_impl.h"

__attribute__((noinline)) static int start_send(struct adi3_request **made, struct adi3_data d,
                                                int dest, int tag, struct adi3_comm *c, int mode)
{
    struct adi3_request *r = request_new(ADI3_SEND, c, dest, tag);

    if (!r)
        return request_no_memory();
    request_data(r, &d);
    int err = proto_send(r, mode);
    if (err)
        request_free(r);
    else
        *made = r;
    return err;
}

/* The error of a receive whose sender, or one of whose possible senders, is lost. */
static int gone(int source, const struct adi3_comm *c)
{
    for (int i = source < 0 ? 0 : source; i < (source < 0 ? c->size : source + 1); i++)
        if (c->proc[i]->lost)
            return proc_error(c->proc[i], c->proc[i]->lost);
    return MPI_SUCCESS;
}

static int start_recv(struct adi3_request **made, const struct adi3_data *d, int source, int tag,
                      struct adi3_comm *c, int mode)
{
    struct adi3_queues *q = c->queue[mode & ADI3_COLL];
    struct adi3_request *r = request_new(ADI3_RECV, c, source, tag);
    struct match_unex *u = NULL;

    if (!r)
        return request_no_memory();
    request_data(r, d);
    *made = r;
    if (source == MPI_PROC_NULL) {
        r->posted.tag = MPI_ANY_TAG;
        request_done(r);
        return MPI_SUCCESS;
    }
    if (q->nunexpected && (u = match_unexpected(q, source, tag))) {
        match_take(q, u);
        proto_claim(r, u);
        return MPI_SUCCESS;
    }
    if (__builtin_expect(proc_any_lost, 0) && (r->error = gone(source, c))) {
        request_done(r);
        return MPI_SUCCESS;
    }
    r->queue = q;
    match_post(q, &r->posted);
    return MPI_SUCCESS;
}

/* Credit is taken before the device is asked, and noted here in case it refuses: so nothing has to
 * outlive the call, which is the last thing done. */
static struct {
    struct adi3_proc *to;
    ptrdiff_t cost;
} charged;

enum { NOT_TRIED = INT_MIN };

int adi3_inject(struct adi3_comm *c, int dest, int tag, const void *buf, size_t len, int mode)
{
    struct adi3_proc *to = c->proc[dest];

    if (__builtin_expect(len >= to->inject_below || to->credit < proto_cost(len), 0))
        return NOT_TRIED;
    charged.to = to;
    charged.cost = proto_cost(len);
    to->credit -= proto_cost(len);
    return to->inject_plain(&to->peer, c->send_ctx + (mode & ADI3_COLL), c->rank, tag, buf, len);
}

void adi3_refused(int rc)
{
    if (rc != NOT_TRIED)
        charged.to->credit += charged.cost;
}

enum { PACKED = 4096 }; /* bytes; what is more goes straight from where it is */

/* Sends at once if it can: MPI_SUCCESS, DEV_AGAIN when it cannot, or an MPI error. */
static int inject(const struct adi3_data *d, int dest, int tag, struct adi3_comm *c, int mode)
{
    if (dest == MPI_PROC_NULL)
        return MPI_SUCCESS;
    size_t len = d->count * d->type->size;
    char packed[PACKED];
    const void *bytes = d->buf;

    if (mode & ADI3_SYNC)
        return DEV_AGAIN;
    if (!d->type->contig) {
        if (len > sizeof packed || len >= c->proc[dest]->inject_below)
            return DEV_AGAIN;
        adi3_pack(d, 0, packed, len);
        bytes = packed;
    }
    int rc = adi3_inject(c, dest, tag, bytes, len, mode);
    if (__builtin_expect(rc == 0, 1))
        return MPI_SUCCESS;
    adi3_refused(rc);
    return rc == DEV_AGAIN || rc == NOT_TRIED ? DEV_AGAIN : proc_error(c->proc[dest], rc);
}

int adi3_send(const struct adi3_data *d, int dest, int tag, struct adi3_comm *c, int mode)
{
    struct adi3_request *r;
    int rc = inject(d, dest, tag, c, mode);

    if (rc != DEV_AGAIN)
        return rc;
    int err = start_send(&r, *d, dest, tag, c, mode);
    if (err)
        return err;
    adi3_wait_done(r);
    return adi3_request_finish(r, MPI_STATUS_IGNORE);
}

int adi3_isend(const struct adi3_data *d, int dest, int tag, struct adi3_comm *c, int mode,
               MPI_Request *request)
{
    struct adi3_request *r;
    int rc = inject(d, dest, tag, c, mode);

    if (rc == MPI_SUCCESS)
        *request = ADI3_REQUEST_COMPLETE;
    if (rc != DEV_AGAIN)
        return rc;
    int err = start_send(&r, *d, dest, tag, c, mode);
    if (!err)
        *request = r->handle;
    return err;
}

MPI_Request adi3_irecv_quickly(struct adi3_comm *c, int source, int tag, void *buf, size_t len)
{
    struct adi3_queues *q = c->queue[0];

    if (__builtin_expect(q->nunexpected || proc_any_lost || match_filed(q), 0)
        || __builtin_expect(!adi3_requests.first, 0))
        return MPI_REQUEST_NULL;
    struct adi3_request *r = request_take(ADI3_RECV, c, source, tag);
    r->len = len;
    r->bytes = buf;
    r->queue = q;
    match_post_listed(q, &r->posted);
    return r->handle;
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
        *request = r->handle;
    return err;
}

int adi3_sendrecv(const struct adi3_exchange *x, struct adi3_comm *c, int mode, MPI_Status *status)
{
    struct adi3_request *r = NULL;
    int err = start_recv(&r, &x->in, x->source, x->recvtag, c, mode);

    if (err)
        return err;
    int sent = adi3_send(&x->out, x->dest, x->sendtag, c, mode);
    if (sent && r->state == ADI3_STARTED) { /* the partner may wait for what was not sent */
        match_unpost(r->queue, &r->posted);
        request_free(r);
        return sent;
    }
    adi3_wait_done(r);
    err = adi3_request_finish(r, status);
    return sent ? sent : err;
}

static bool peek(int source, int tag, struct adi3_comm *c, MPI_Status *status)
{
    struct match_unex *u = match_unexpected(c->queue[0], source, tag);

    if (u)
        request_status(status, u->pkt.rank, u->pkt.tag, u->pkt.len);
    return u;
}

int adi3_iprobe(int source, int tag, struct adi3_comm *c, bool *found, MPI_Status *status)
{
    *found = true;
    if (source == MPI_PROC_NULL) {
        request_status(status, MPI_PROC_NULL, MPI_ANY_TAG, 0);
        return MPI_SUCCESS;
    }
    if (peek(source, tag, c, status))
        return MPI_SUCCESS;
    adi3_poll();
    *found = peek(source, tag, c, status);
    proc_probed = *found || source < 0 ? NULL : c->proc[source];
    return !*found && proc_any_lost ? gone(source, c) : MPI_SUCCESS;
}

int adi3_probe(int source, int tag, struct adi3_comm *c, MPI_Status *status)
{
    struct adi3_wait w = { .on = NULL };
    bool found;
    int err = adi3_iprobe(source, tag, c, &found, status);

    while (!err && !found) {
        adi3_wait_turn(&w);
        err = adi3_iprobe(source, tag, c, &found, status);
    }
    adi3_wait_end(&w);
    return err;
}
