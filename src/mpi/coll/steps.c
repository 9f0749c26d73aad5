/* steps.c — the steps of algorithms: sends, receives, copies, reductions; taken at once, or put
 * in a schedule. */
#include <string.h>
#include "mpi/coll/coll.h"

/* Later steps of the schedule wait for the last n. */
static bool sched_await_last(struct coll *x, unsigned n)
{
    adi3_sched_await(x->sched, n);
    return true;
}

static bool sched_send(struct coll *x, struct adi3_data d, int dest)
{
    if (!x->sched)
        return false;
    adi3_sched_tag(x->sched, x->tag);
    if (!x->stopped)
        adi3_sched_send(x->sched, x->comm, d, coll_rank_of(x, dest));
    x->unfenced++;
    return true;
}

static bool sched_recv(struct coll *x, struct adi3_data d, int source)
{
    if (!x->sched)
        return false;
    adi3_sched_tag(x->sched, x->tag);
    if (!x->stopped)
        adi3_sched_recv(x->sched, x->comm, d, coll_rank_of(x, source));
    x->unfenced++;
    return true;
}

void coll_send(struct coll *x, struct adi3_data d, int dest)
{
    if (sched_send(x, d, dest) && sched_await_last(x, 1))
        return;
    if (!x->stopped)
        coll_error(x, adi3_send(&d, coll_rank_of(x, dest), x->tag, x->comm, ADI3_COLL));
}

void coll_recv(struct coll *x, struct adi3_data d, int source)
{
    if (sched_recv(x, d, source) && sched_await_last(x, 1))
        return;
    if (!x->stopped)
        coll_error(x, adi3_recv(&d, coll_rank_of(x, source), x->tag, x->comm, ADI3_COLL,
                                MPI_STATUS_IGNORE));
}

void coll_exchange(struct coll *x, struct adi3_data out, int dest, struct adi3_data in, int source)
{
    struct adi3_exchange e = { out,   in, coll_rank_of(x, dest), x->tag, coll_rank_of(x, source),
                               x->tag };

    if (sched_recv(x, in, source) && sched_send(x, out, dest) && sched_await_last(x, 2))
        return;
    if (!x->stopped)
        coll_error(x, adi3_sendrecv(&e, x->comm, ADI3_COLL, MPI_STATUS_IGNORE));
}

static MPI_Request *pending_slot(struct coll *x, unsigned i)
{
    return x->many ? &x->many[i % x->room] : &x->pending[i % COLL_PENDING];
}

void coll_widen(struct coll *x, unsigned n)
{
    if (x->sched)
        adi3_sched_widen(x->sched, n);
    if (x->sched || n <= COLL_PENDING)
        return;
    x->many = coll_bytes(x, n * sizeof *x->many);
    x->room = n;
}

static void finish_oldest(struct coll *x)
{
    MPI_Request h = *pending_slot(x, x->finished++);

    if (h == ADI3_REQUEST_COMPLETE)
        return;
    struct adi3_request *r = adi3_request_get(h);
    adi3_wait_done(r);
    coll_error(x, adi3_request_finish(r, MPI_STATUS_IGNORE));
}

static MPI_Request *next_pending(struct coll *x)
{
    if (x->started - x->finished == x->room)
        finish_oldest(x);
    return pending_slot(x, x->started);
}

/* A step that failed to start is not waited for. */
static void note_started(struct coll *x, int err)
{
    coll_error(x, err);
    x->started += !err;
}

void coll_start_send(struct coll *x, struct adi3_data d, int dest)
{
    if (sched_send(x, d, dest))
        return;
    if (!x->stopped)
        note_started(
            x, adi3_isend(&d, coll_rank_of(x, dest), x->tag, x->comm, ADI3_COLL, next_pending(x)));
}

void coll_start_recv(struct coll *x, struct adi3_data d, int source)
{
    if (sched_recv(x, d, source))
        return;
    if (!x->stopped)
        note_started(x, adi3_irecv(&d, coll_rank_of(x, source), x->tag, x->comm, ADI3_COLL,
                                   next_pending(x)));
}

/* Also when stopped: started steps still point to our memory. */
void coll_finish(struct coll *x)
{
    if (x->sched && x->unfenced)
        adi3_sched_fence(x->sched);
    x->unfenced = 0;
    while (x->finished != x->started)
        finish_oldest(x);
}

/* ---- work ------------------------------------------------------------------------------------ */

static int too_long(size_t len, size_t room, int size)
{
    return mpir_error(MPI_ERR_TRUNCATE, "our own block has %zu bytes, but room for %zu%s", len,
                      room, adi3_collchk_total(size, len, room));
}

static int work_copy(const struct adi3_work *w)
{
    size_t len = coll_size(w->from), room = coll_size(w->to);

    if (w->from.type->contig && w->to.type->contig && len <= room) {
        if (len > 0 && w->to.buf != w->from.buf)
            memcpy(w->to.buf, w->from.buf, len);
        return MPI_SUCCESS;
    }
    adi3_copy(&w->from, &w->to);
    return len > room ? too_long(len, room, w->size) : MPI_SUCCESS;
}

static int work_reduce(const struct adi3_work *w)
{
    bool unlocked = adi3_unlock_for(w->op->function ? SIZE_MAX : coll_size(w->to));

    adi3_reduce(w->op, w->from.buf, w->to.buf, w->to.count, w->to.type);
    if (unlocked)
        adi3_lock();
    return MPI_SUCCESS;
}

/* Inlined, so that a step that is taken at once needs no memory for its description. */
static inline void work_dispatch(struct coll *x, const struct adi3_work *w)
{
    if (x->sched)
        adi3_sched_work(x->sched, w);
    else
        coll_error(x, w->run(w));
}

void coll_copy(struct coll *x, struct adi3_data from, struct adi3_data to)
{
    const struct adi3_work w = { .run = work_copy, .from = from, .to = to, .size = x->size };

    if (!x->stopped && (from.buf != to.buf || from.type != to.type))
        work_dispatch(x, &w);
}

void coll_work(struct coll *x, int (*run)(void *arg, int err), void *arg)
{
    if (x->sched)
        adi3_sched_call(x->sched, run, arg);
    else
        coll_error(x, run(arg, x->err));
}

void coll_request(struct coll *x, int (*start)(void *arg, MPI_Request *request), void *arg)
{
    if (x->stopped)
        return;
    adi3_sched_request(x->sched, start, arg);
    adi3_sched_await(x->sched, 1);
}

void coll_apply(struct coll *x, const void *in, void *inout, size_t count)
{
    const struct adi3_work w = { .run = work_reduce,
                                 .from = { (void *) (uintptr_t) in, count, x->recv.type },
                                 .to = { inout, count, x->recv.type },
                                 .op = x->op };

    if (!x->stopped)
        work_dispatch(x, &w);
}
