/* steps.c — what algorithms do, done at once: sends, receives, copies, reductions. */
#include <string.h>
#include "coll.h"

void coll_send(struct coll *x, struct adi3_data d, int dest)
{
    if (!x->stopped)
        coll_error(x, adi3_send(&d, dest, x->tag, x->comm, ADI3_COLL));
}

void coll_recv(struct coll *x, struct adi3_data d, int source)
{
    if (!x->stopped)
        coll_error(x, adi3_recv(&d, source, x->tag, x->comm, ADI3_COLL, MPI_STATUS_IGNORE));
}

void coll_exchange(struct coll *x, struct adi3_data out, int dest, struct adi3_data in, int source)
{
    struct adi3_exchange e = { out, in, dest, x->tag, source, x->tag };

    if (!x->stopped)
        coll_error(x, adi3_sendrecv(&e, x->comm, ADI3_COLL, MPI_STATUS_IGNORE));
}

static void finish_oldest(struct coll *x)
{
    MPI_Request h = x->pending[x->finished++ % COLL_PENDING];

    if (h == ADI3_REQUEST_COMPLETE)
        return;
    struct adi3_request *r = adi3_request_get(h);
    adi3_wait_done(r);
    coll_error(x, adi3_request_finish(r, MPI_STATUS_IGNORE));
}

static MPI_Request *next_pending(struct coll *x)
{
    if (x->started - x->finished == COLL_PENDING)
        finish_oldest(x);
    return &x->pending[x->started % COLL_PENDING];
}

/* A step that could not be started has left nothing to wait for. */
static void note_started(struct coll *x, int err)
{
    coll_error(x, err);
    x->started += !err;
}

void coll_start_send(struct coll *x, struct adi3_data d, int dest)
{
    if (!x->stopped)
        note_started(x, adi3_isend(&d, dest, x->tag, x->comm, ADI3_COLL, next_pending(x)));
}

void coll_start_recv(struct coll *x, struct adi3_data d, int source)
{
    if (!x->stopped)
        note_started(x, adi3_irecv(&d, source, x->tag, x->comm, ADI3_COLL, next_pending(x)));
}

/* Also when stopped: what was started still points into our memory. */
void coll_finish(struct coll *x)
{
    while (x->finished != x->started)
        finish_oldest(x);
}

static void too_long(struct coll *x, size_t len, size_t room)
{
    coll_error(x, mpir_error(MPI_ERR_TRUNCATE, "our own block has %zu bytes, but room for %zu", len,
                             room));
}

void coll_copy(struct coll *x, struct adi3_data from, struct adi3_data to)
{
    size_t len = coll_size(from), room = coll_size(to);

    if (x->stopped || (from.buf == to.buf && from.type == to.type))
        return;
    if (from.type->contig && to.type->contig && len <= room) {
        if (len > 0)
            memcpy(to.buf, from.buf, len);
        return;
    }
    adi3_copy(&from, &to);
    if (len > room)
        too_long(x, len, room);
}

void coll_apply(struct coll *x, const void *in, void *inout, size_t count)
{
    if (x->stopped)
        return;
    bool aside = adi3_aside(x->op->function ? SIZE_MAX : count * x->recv.type->size);
    adi3_reduce(x->op, in, inout, count, x->recv.type);
    if (aside)
        adi3_lock();
}
