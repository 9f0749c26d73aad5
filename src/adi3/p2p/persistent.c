/* persistent.c — requests that are started again and again (§3.9).
 *
 * One request serves all starts; its arguments are in a struct beside it. A start of a small
 * message that can be sent at once needs neither memory nor another look at the arguments. */
#include <stdlib.h>
#include "adi3/p2p/p2p_impl.h"

struct adi3_start {
    struct adi3_data data; /* with a reference to the type */
    int rank, tag, mode;
    bool plain; /* a standard send or a receive, contiguous, not of MPI_PROC_NULL */
};

static int persistent_make(enum adi3_kind kind, struct adi3_start start, struct adi3_comm *c,
                           MPI_Request *request)
{
    struct adi3_start *copy = malloc(sizeof *copy);
    struct adi3_request *r = copy ? request_new(kind, c, start.rank, start.tag) : NULL;

    assert(adi3_lock_held());
    if (!r) {
        free(copy);
        return adi3_no_memory("for a request");
    }
    *copy = start;
    copy->plain =
        start.data.type->contig && start.mode == ADI3_STANDARD && start.rank != MPI_PROC_NULL;
    copy->data.type->refs++;
    r->flags = REQUEST_PERSISTENT;
    r->state = ADI3_INIT;
    r->start = copy;
    *request = request_user_acquire(r);
    return MPI_SUCCESS;
}

int adi3_send_init(const struct adi3_data *d, int dest, int tag, struct adi3_comm *c, int mode,
                   MPI_Request *request)
{
    return persistent_make(ADI3_SEND, (struct adi3_start) { *d, dest, tag, mode, false }, c,
                           request);
}

int adi3_recv_init(const struct adi3_data *d, int source, int tag, struct adi3_comm *c,
                   MPI_Request *request)
{
    return persistent_make(ADI3_RECV, (struct adi3_start) { *d, source, tag, ADI3_STANDARD, false },
                           c, request);
}

void persistent_end(struct adi3_request *r)
{
    adi3_type_release(r->start->data.type);
    free(r->start);
}

/* Brings r into the state in which request_take() makes a new one. */
static void request_reset(struct adi3_request *r, int rank, int tag)
{
    r->state = ADI3_STARTED;
    r->awaits = 0;
    r->completion_count = 1;
    r->peer = NULL;
    r->posted.rank = rank;
    r->posted.tag = tag;
    r->got = 0;
    r->error = MPI_SUCCESS;
}

static int start_send(struct adi3_request *r, const struct adi3_start *s)
{
    int rc = s->mode & ADI3_BUFFERED ? adi3_bsend(&s->data, s->rank, s->tag, r->comm)
                                     : pt2pt_inject(&s->data, s->rank, s->tag, r->comm, s->mode);

    if (rc == DEV_AGAIN)
        return pt2pt_send(r, &s->data, s->mode);
    if (rc == MPI_SUCCESS)
        r->state = ADI3_DONE; /* no thread can wait for it yet */
    return rc;
}

static bool send_quickly(struct adi3_request *r, const struct adi3_start *s)
{
    int rc = adi3_inject(r->comm, s->rank, s->tag, s->data.buf, s->data.count * s->data.type->size,
                         ADI3_STANDARD);

    if (rc) {
        adi3_refused(rc);
        return false;
    }
    r->got = 0;
    r->error = MPI_SUCCESS;
    r->state = ADI3_DONE;
    return true;
}

bool adi3_start_quickly(MPI_Request handle)
{
    struct adi3_request *r = adi3_get(&adi3_requests, handle);

    assert(adi3_lock_held());
    if (!r || r->flags != REQUEST_PERSISTENT || r->state != ADI3_INIT || !r->start->plain)
        return false;
    const struct adi3_start *s = r->start;
    if (r->kind == ADI3_SEND)
        return send_quickly(r, s);
    struct adi3_queues *q = r->comm->queue[0];
    if (q->nunexpected || proc_any_lost || match_filed(q))
        return false;
    request_reset(r, s->rank, s->tag);
    r->bytes = s->data.buf;
    r->len = s->data.count * s->data.type->size;
    r->queue = q;
    match_post_listed(q, &r->posted);
    return true;
}

int persistent_start(struct adi3_request *r)
{
    const struct adi3_start *s = r->start;

    assert(adi3_lock_held() && r->flags & REQUEST_PERSISTENT && r->state == ADI3_INIT);
    request_reset(r, s->rank, s->tag);
    if (r->kind == ADI3_RECV) {
        pt2pt_receive(r, &s->data, s->mode);
        return MPI_SUCCESS;
    }
    int err = start_send(r, s);
    if (err) {
        request_drop_data(r);
        r->state = ADI3_INIT;
    }
    return err;
}
