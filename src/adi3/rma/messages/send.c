/* send.c — an operation that is not done in memory: by the device or by messages, and with a
 * request for the user or without. */
#include <stdlib.h>
#include "adi3/rma/messages/wire.h"

/* Whether one packet asks for all of it, with little payload. */
static bool is_small(const struct adi3_rma *x)
{
    size_t all = x->count * x->type->size;
    size_t len = x->origin.type ? x->origin.count * x->origin.type->size : 0;

    return x->kind == ADI3_GET ? all < rma_device_least : all <= WIRE_HELD && len <= WIRE_HELD;
}

/* A request of the user, which is done when all parts are. */
static int new_whole(const struct adi3_win *w, int rank, struct wire_whole **made)
{
    struct wire_whole *whole = calloc(1, sizeof *whole);
    struct adi3_request *r = whole ? request_new(ADI3_ONE_SIDED, w->comm, rank, 0) : NULL;

    if (!r) {
        free(whole);
        return adi3_no_memory("for a one-sided operation");
    }
    whole->request = r;
    whole->left = 1; /* this call */
    r->state = ADI3_ACTIVE;
    r->own = NULL;
    *made = whole;
    return MPI_SUCCESS;
}

/* Otherwise the target finds what is outside, and the next flush reports it. */
static int check_range(const struct adi3_win *w, const struct rma_target *t,
                       const struct adi3_rma *x)
{
    MPI_Aint offset;

    return t->control || !t->quick.disp_unit
               ? MPI_SUCCESS
               : rma_range(w, t->rank, x, t->quick.disp_unit, t->quick.size, &offset);
}

/* This call's part of an operation with a request has ended. What is under way ends it later. */
static int end_call(struct wire_whole *whole, int err, MPI_Request *request)
{
    struct adi3_request *r = whole->request;

    if (whole->left > 1) {
        whole->left--;
        if (err)
            r->flags |= REQUEST_RELEASED;
        else
            *request = request_user_acquire(r);
        return err;
    }
    if (!err)
        err = r->error;
    free(whole);
    request_free(r);
    return err;
}

int rma_send(struct adi3_win *w, struct rma_target *t, const struct adi3_rma *x,
             MPI_Request *request)
{
    struct wire_whole *whole = NULL;
    int err = check_range(w, t, x);

    assert(adi3_lock_held());
    if (!err)
        err = part_reach(w, t->rank);
    held_send();
    if (!err && request)
        err = new_whole(w, t->rank, &whole);
    if (err)
        return err;
    err = message_await_room(w, t);
    if (!err && (t->lock_due || t->awaits_lock))
        err = far_lock_ready(w, t, is_small(x));
    if (!err && !device_start(w, t, x, whole))
        err = message_start(w, t, x, whole);
    return request ? end_call(whole, err, request) : err;
}
