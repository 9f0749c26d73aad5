/* request.c — the pool of requests, and what becomes of one. */
#include <stdlib.h>
#include "adi3_impl.h"

const struct adi3_request *request_awaited;
struct adi3_pool adi3_requests = ADI3_POOL(ADI3_REQUEST, struct adi3_request);

int request_no_memory(void) { return adi3_error(MPI_ERR_NO_MEM, "out of memory for a request"); }

struct adi3_request *request_new(enum adi3_kind kind, struct adi3_comm *c, int rank, int tag)
{
    if (__builtin_expect(!adi3_requests.first, 0) && !adi3_pool_grow(&adi3_requests))
        return NULL;
    return request_take(kind, c, rank, tag);
}

void request_drop_packed(struct adi3_request *r)
{
    if (!r->packed)
        return;
    free(r->packed);
    r->packed = NULL;
    adi3_type_release(r->data.type);
}

void request_free(struct adi3_request *r)
{
    struct adi3_comm *c = r->comm;

    request_drop_packed(r);
    if (__builtin_expect(r->odd & REQUEST_PERSISTENT, 0))
        persistent_free(r);
    adi3_free(&adi3_requests, r);
    adi3_comm_release(c);
}

/* What has arrived goes to where the user wants it. */
static void unpack(const struct adi3_request *r)
{
    if (__builtin_expect(!r->packed || r->kind == ADI3_SEND, 1))
        return;
    bool aside = adi3_aside(r->got);
    adi3_unpack(&r->data, r->packed, r->got);
    if (aside)
        adi3_lock();
}

void request_unpack(struct adi3_request *r)
{
    unpack(r);
    request_drop_packed(r);
}

__attribute__((noinline)) static void done_odd(struct adi3_request *r)
{
    if (r->odd & REQUEST_WATCHED)
        any_tell(r);
    if (r->odd & REQUEST_RELEASED)
        (void) adi3_request_release(r);
}

/* All parts are over. Nobody but the pool may hold r afterwards if the user has released it; else
 * the thread that takes the result unpacks it. */
void request_done(struct adi3_request *r)
{
    r->state = ADI3_DONE;
    thread_told(r);
    if (__builtin_expect(r->odd, 0))
        done_odd(r);
}

struct adi3_request *adi3_request_get(MPI_Request handle)
{
    struct adi3_request *r = adi3_get(&adi3_requests, handle);

    return r && !(r->odd & REQUEST_RELEASED) ? r : NULL;
}

struct adi3_comm *adi3_request_comm(const struct adi3_request *r) { return r->comm; }
bool adi3_request_done(const struct adi3_request *r) { return r->state == ADI3_DONE; }
bool adi3_request_inactive(const struct adi3_request *r) { return r->state == ADI3_INIT; }

bool adi3_request_persists(const struct adi3_request *r)
{
    return __builtin_expect(r->odd & REQUEST_PERSISTENT, 0);
}

/* The count has 63 bits: the low 32, and the others above the bit that says cancelled. */
void request_status(MPI_Status *status, int source, int tag, size_t len)
{
    if (status == MPI_STATUS_IGNORE)
        return;
    status->MPI_SOURCE = source;
    status->MPI_TAG = tag;
    status->count_lo = (int) (uint32_t) len;
    status->count_hi_and_cancelled = (int) (uint32_t) (len >> 32 << 1);
}

void adi3_status_cancel(MPI_Status *status, bool cancelled)
{
    if (status != MPI_STATUS_IGNORE)
        status->count_hi_and_cancelled = (status->count_hi_and_cancelled & ~1) | cancelled;
}

static void status_of(const struct adi3_request *r, MPI_Status *status)
{
    request_status(status, r->posted.rank, r->posted.tag, r->got);
    if (r->odd & REQUEST_CANCELLED)
        adi3_status_cancel(status, true);
}

__attribute__((noinline)) static int finish_odd(struct adi3_request *r, MPI_Status *status)
{
    int err = r->error;

    if (r->kind == ADI3_GENERALIZED)
        return general_finish(r, status);
    request_unpack(r);
    status_of(r, status);
    if (r->odd & REQUEST_PERSISTENT) {
        r->odd = REQUEST_PERSISTENT;
        r->state = ADI3_INIT;
    } else {
        request_free(r);
    }
    return err;
}

int adi3_request_peek(struct adi3_request *r, MPI_Status *status)
{
    if (r->kind == ADI3_GENERALIZED)
        return general_peek(r, status);
    request_unpack(r); /* the user may look at it now */
    status_of(r, status);
    return r->error;
}

int adi3_request_finish(struct adi3_request *r, MPI_Status *status)
{
    int err = r->error;

    if (__builtin_expect(r->odd, 0)) {
        if (r->odd != REQUEST_PERSISTENT || r->packed)
            return finish_odd(r, status);
        request_status(status, r->posted.rank, r->posted.tag, r->got);
        r->state = ADI3_INIT;
        return err;
    }
    unpack(r);
    request_status(status, r->posted.rank, r->posted.tag, r->got);
    request_free(r);
    return err;
}

int adi3_request_release(struct adi3_request *r)
{
    r->odd |= REQUEST_RELEASED;
    if (r->state != ADI3_DONE && r->state != ADI3_INIT)
        return MPI_SUCCESS;
    if (r->kind == ADI3_GENERALIZED)
        return general_release(r);
    if (r->packed && r->kind == ADI3_RECV) /* perhaps by a device: the lock is kept */
        adi3_unpack(&r->data, r->packed, r->got);
    if (r->odd & REQUEST_BUFFERED)
        bsend_left(r);
    request_free(r);
    return MPI_SUCCESS;
}

void adi3_wait_for(const struct adi3_request *r)
{
    struct adi3_wait w = { .on = r };

    while (r->state != ADI3_DONE)
        adi3_wait_turn(&w);
    adi3_wait_end(&w);
}

void adi3_wait_done(const struct adi3_request *r)
{
    if (r->state == ADI3_DONE)
        return;
    request_awaited = adi3_threads ? NULL : r;
    adi3_wait_for(r);
    request_awaited = NULL;
}
