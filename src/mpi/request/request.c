/* request.c — looking at arrays of requests, and taking the results of those that are done. */
#include "request.h"

static int entry_arg(MPI_Request h, int i)
{
    if (!mpir_checking() || h == ADI3_REQUEST_COMPLETE || adi3_request_get(h))
        return MPI_SUCCESS;
    return mpir_error(MPI_ERR_REQUEST, "array_of_requests[%d] is 0x%x, %s", i, (unsigned) h,
                      "which is not a request, or one that is complete");
}

int mpir_request_array_arg(int count, const MPI_Request h[], int *active)
{
    int err = mpir_count_arg(count, "count");

    if (!err)
        err = mpir_array_arg(h, count, "array_of_requests");
    *active = 0;
    for (int i = 0; i < count && !err; i++)
        if (h[i] != MPI_REQUEST_NULL) {
            (*active)++;
            err = entry_arg(h[i], i);
        }
    return err;
}

void mpir_request_status_empty(MPI_Status *status)
{
    mpir_request_status_none(status);
    if (status != MPI_STATUS_IGNORE)
        status->MPI_ERROR = MPI_SUCCESS;
}

/* Begins at a random place: else one that is always done would starve those behind it (§3.7.5). */
int mpir_request_find_done(int count, const MPI_Request h[])
{
    static uint32_t random; /* guarded by the ADI3 lock */

    random = random * 1664525 + 1013904223;
    int i = (int) ((uint64_t) random * (unsigned) count >> 32);
    for (int n = 0; n < count; n++) {
        if (h[i] != MPI_REQUEST_NULL && mpir_request_done(h[i]))
            return i;
        if (++i == count)
            i = 0;
    }
    return MPI_UNDEFINED;
}

bool mpir_request_all_done(int count, const MPI_Request h[])
{
    for (int i = 0; i < count; i++)
        if (h[i] != MPI_REQUEST_NULL && !mpir_request_done(h[i]))
            return false;
    return true;
}

int mpir_request_wait_any(int count, const MPI_Request h[])
{
    struct adi3_wait wait = { 0 };
    int i;

    adi3_poll(); /* messages move also when this call is always given one that is done */
    while ((i = mpir_request_find_done(count, h)) == MPI_UNDEFINED)
        adi3_wait_turn(&wait);
    adi3_wait_end(&wait);
    return i;
}

int mpir_request_finish(MPI_Request *h, MPI_Status *status, struct adi3_comm **comm)
{
    MPI_Request old = *h;

    *h = MPI_REQUEST_NULL; /* also when it ends in an error */
    if (old == MPI_REQUEST_NULL) {
        mpir_request_status_empty(status);
        return MPI_SUCCESS;
    }
    if (old == ADI3_REQUEST_COMPLETE) {
        mpir_request_status_none(status);
        return MPI_SUCCESS;
    }
    struct adi3_request *r = adi3_request_get(old);
    if (!r)
        return mpir_error(MPI_ERR_REQUEST, "request 0x%x is in the array twice", (unsigned) old);
    *comm = adi3_request_comm(r);
    return adi3_request_finish(r, status);
}

static void first_failure(struct mpir_batch *b, int err, int i)
{
    const char *why = adi3_error_text(err);

    if (b->statuses != MPI_STATUSES_IGNORE)
        for (int n = 0; n < b->n; n++)
            b->statuses[n].MPI_ERROR = MPI_SUCCESS;
    b->err = mpir_error(MPI_ERR_IN_STATUS, "array_of_requests[%d]: %s", i,
                        why ? why : adi3_class_text(err & ADI3_CLASS_MASK));
}

void mpir_request_take(struct mpir_batch *b, MPI_Request h[], int i)
{
    bool ignore = b->statuses == MPI_STATUSES_IGNORE;
    MPI_Status *status = ignore ? MPI_STATUS_IGNORE : &b->statuses[b->n];
    struct adi3_comm *comm = b->call->comm;
    int err = MPI_ERR_PENDING;

    if (!b->broken || h[i] == MPI_REQUEST_NULL || mpir_request_done(h[i]))
        err = mpir_request_finish(&h[i], status, &comm);
    if (err && !b->err) {
        b->call->comm = comm;
        first_failure(b, err, i);
    }
    if (b->err && !ignore)
        status->MPI_ERROR = err;
    /* A message that was too long is its own matter; other failures are a connection's. */
    if (err && (err & ADI3_CLASS_MASK) != MPI_ERR_TRUNCATE)
        b->broken = true;
    b->n++;
}

void mpir_request_take_done(struct mpir_batch *b, int count, MPI_Request h[], int indices[])
{
    for (int i = 0; i < count; i++) {
        if (h[i] == MPI_REQUEST_NULL || !mpir_request_done(h[i]))
            continue;
        indices[b->n] = i;
        mpir_request_take(b, h, i);
    }
}
