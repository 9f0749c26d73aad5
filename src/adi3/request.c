/* request.c — the pool of requests, and what becomes of one. */
#include <stdlib.h>
#include "adi3_impl.h"

struct adi3_pool adi3_requests = ADI3_POOL(ADI3_REQUEST, struct adi3_request);

int request_no_memory(void) { return adi3_error(MPI_ERR_NO_MEM, "out of memory for a request"); }

struct adi3_request *request_new(enum adi3_kind kind, struct adi3_comm *c, int rank, int tag)
{
    MPI_Request handle;
    struct adi3_request *r = adi3_new(&adi3_requests, &handle);

    if (!r)
        return NULL;
    c->refs++;
    r->handle = handle;
    r->state = ADI3_STARTED;
    r->released = false;
    r->awaits = PKT_TYPES;
    r->parts = 1;
    r->kind = (uint8_t) kind;
    r->peer = NULL;
    r->comm = c;
    r->posted.rank = rank;
    r->posted.tag = tag;
    r->got = 0;
    r->error = MPI_SUCCESS;
    r->packed = NULL;
    return r;
}

void request_free(struct adi3_request *r)
{
    struct adi3_comm *c = r->comm;

    if (r->packed) {
        free(r->packed);
        adi3_type_release(r->data.type);
    }
    adi3_free(&adi3_requests, r);
    adi3_comm_release(c);
}

/* All parts are over. Nobody but the pool may hold r afterwards if the user has released it. */
void request_done(struct adi3_request *r)
{
    if (r->packed && r->kind == ADI3_RECV)
        adi3_unpack(&r->data, r->packed, r->got);
    r->state = ADI3_DONE;
    if (r->released)
        request_free(r);
}

struct adi3_request *adi3_request_get(MPI_Request handle)
{
    struct adi3_request *r = adi3_get(&adi3_requests, handle);

    return r && !r->released ? r : NULL;
}

struct adi3_comm *adi3_request_comm(const struct adi3_request *r) { return r->comm; }
bool adi3_request_done(const struct adi3_request *r) { return r->state == ADI3_DONE; }

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

int adi3_request_finish(struct adi3_request *r, MPI_Status *status)
{
    int err = r->error;

    request_status(status, r->posted.rank, r->posted.tag, r->got);
    request_free(r);
    return err;
}

void adi3_request_release(struct adi3_request *r)
{
    if (r->state == ADI3_DONE)
        request_free(r);
    else
        r->released = true;
}

void adi3_wait_done(const struct adi3_request *r)
{
    struct adi3_wait w = { .on = r };

    while (r->state != ADI3_DONE)
        adi3_wait_turn(&w);
}
