/* request.c — arrays of requests: checks, search for complete ones, and completion. */
#include "mpi/request/request.h"

__attribute__((cold)) static int wrong_entry(MPI_Request h, int i)
{
    return mpir_error(MPI_ERR_REQUEST, "array_of_requests[%d] is 0x%x, %s", i, (unsigned) h,
                      "which is not a request, or one that is complete");
}

static int array_arg(int count, const MPI_Request h[])
{
    int err = mpir_count_arg(count, "count");

    if (!err)
        err = mpir_array_arg(h, count, "array_of_requests");
    return err;
}

int mpir_request_array_arg(int count, const MPI_Request h[])
{
    int err = array_arg(count, h), i;

    if (err || !mpir_checking() || (i = adi3_requests_check(count, h)) == count)
        return err;
    return wrong_entry(h[i], i);
}

void mpir_request_status_empty(MPI_Status *status)
{
    mpir_request_status_none(status);
    if (status != MPI_STATUS_IGNORE)
        status->MPI_ERROR = MPI_SUCCESS;
}

/* ---- search for complete requests ------------------------------------------------------------ */

/* Adds entry i of the array when it is complete, else watches it for a wait. */
static int request_examine(struct mpir_search *s, struct adi3_any *any, MPI_Request h, int i)
{
    if (h == MPI_REQUEST_NULL)
        return MPI_SUCCESS;
    struct adi3_request *r = h == ADI3_REQUEST_COMPLETE ? NULL : adi3_request_get(h);
    if (r && adi3_request_inactive(r))
        return MPI_SUCCESS;
    s->active = true;
    if (!r || adi3_request_done(r)) {
        if (any->n < any->room)
            any->index[any->n++] = i;
        bool wrong = !r && h != ADI3_REQUEST_COMPLETE && mpir_checking();
        return wrong ? wrong_entry(h, i) : MPI_SUCCESS;
    }
    if (s->wait && !any->n)
        adi3_any_watch(any, r, i);
    return MPI_SUCCESS;
}

int mpir_request_search(struct mpir_search *s, int count, const MPI_Request h[])
{
    struct adi3_any any;
    int err = array_arg(count, h);

    s->n = 0;
    s->active = false;
    if (err)
        return err;
    (void) adi3_poll(); /* progress, also when each call of the program has a complete request */
    adi3_any_begin(&any, s->indices, s->room);
    for (int i = 0; i < count && !err; i++)
        err = request_examine(s, &any, h[i], i);
    if (!err && s->active && s->wait && !any.n)
        adi3_any_wait(&any);
    s->n = any.n;
    return err;
}

bool mpir_request_all_done(int count, const MPI_Request h[])
{
    for (int i = 0; i < count; i++)
        if (!mpir_request_done(h[i]))
            return false;
    return true;
}

/* ---- completion ------------------------------------------------------------------------------ */

int mpir_request_finish(MPI_Request *h, MPI_Status *status, struct adi3_comm **comm)
{
    const MPI_Request old = *h;
    struct adi3_request *r = old == ADI3_REQUEST_COMPLETE ? NULL : adi3_request_get(old);

    if (old == MPI_REQUEST_NULL || (r && adi3_request_inactive(r))) {
        mpir_request_status_empty(status);
        return MPI_SUCCESS;
    }
    if (!r || !adi3_request_persists(r))
        *h = MPI_REQUEST_NULL; /* also when it ends in an error */
    if (old == ADI3_REQUEST_COMPLETE) {
        mpir_request_status_none(status);
        return MPI_SUCCESS;
    }
    if (!r)
        return mpir_error(MPI_ERR_REQUEST, "request 0x%x is in the array twice", (unsigned) old);
    *comm = adi3_request_comm(r);
    return adi3_request_finish(r, status);
}

static void first_failure(struct mpir_batch *b, int err, int i)
{
    if (b->statuses != MPI_STATUSES_IGNORE)
        for (int n = 0; n < b->n; n++)
            b->statuses[n].MPI_ERROR = MPI_SUCCESS;
    b->first = err;
    b->err = mpir_error(MPI_ERR_IN_STATUS, "array_of_requests[%d]: %s", i, mpir_error_cause(err));
}

void mpir_request_take(struct mpir_batch *b, MPI_Request h[], int i)
{
    bool ignore = b->statuses == MPI_STATUSES_IGNORE;
    MPI_Status *status = ignore ? MPI_STATUS_IGNORE : &b->statuses[b->n];
    struct adi3_comm *comm = b->call->comm;
    int err = MPI_ERR_PENDING;

    if (!b->broken || mpir_request_done(h[i]))
        err = mpir_request_finish(&h[i], status, &comm);
    if (err && !b->err) {
        b->call->comm = comm;
        first_failure(b, err, i);
    }
    if (b->err && !ignore)
        status->MPI_ERROR = err;
    /* A message that is too long concerns one request; other errors are those of a connection. */
    if (err && (err & ADI3_CLASS_MASK) != MPI_ERR_TRUNCATE)
        b->broken = true;
    b->n++;
}

/* Completes the next requests as long as that is plain. */
static void take_plain(struct mpir_batch *b, int count, MPI_Request h[])
{
    MPI_Status *statuses = b->statuses;

    if (b->err) /* MPI_ERROR is set in each status */
        return;
    if (statuses != MPI_STATUSES_IGNORE)
        statuses += b->n;
    b->n += adi3_requests_finish(count - b->n, h + b->n, statuses);
}

void mpir_request_take_all(struct mpir_batch *b, int count, MPI_Request h[])
{
    while (take_plain(b, count, h), b->n < count) {
        if (!b->broken && !mpir_request_done(h[b->n]))
            adi3_wait_each(adi3_request_get(h[b->n]));
        else
            mpir_request_take(b, h, b->n);
    }
}

int mpir_request_take_some(struct mpir_batch *b, const struct mpir_search *s, MPI_Request h[],
                           int *outcount)
{
    *outcount = s->active ? s->n : MPI_UNDEFINED;
    for (int i = 0; i < s->n; i++)
        mpir_request_take(b, h, s->indices[i]);
    return mpir_request_result(b);
}
