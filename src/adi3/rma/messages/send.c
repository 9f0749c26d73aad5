/* send.c — an operation that is not done in memory: by the device or by messages, and with a
 * request for the user or without. */
#include <stdlib.h>
#include "adi3/rma/messages/wire.h"

/* Whether one packet with little payload does for the whole operation. */
static bool is_small(const struct adi3_rma *x)
{
    size_t all = x->count * x->type->size;
    size_t len = x->origin.type ? x->origin.count * x->origin.type->size : 0;

    return x->kind == ADI3_GET ? all < rma_device_least
                               : all <= WIRE_PIGGYBACK && len <= WIRE_PIGGYBACK;
}

/* A request of the user, which is done when all its packet operations are. */
static int user_op_new(const struct adi3_win *w, int rank, struct user_op **made)
{
    struct user_op *user_op = calloc(1, sizeof *user_op);
    struct adi3_request *r = user_op ? request_new(ADI3_ONE_SIDED, w->comm, rank, 0) : NULL;

    if (!r) {
        free(user_op);
        return adi3_no_memory("for a one-sided operation");
    }
    user_op->request = r;
    user_op->left = 1; /* this call */
    r->state = ADI3_ACTIVE;
    r->own = NULL;
    *made = user_op;
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
static int end_call(struct user_op *user_op, int err, MPI_Request *request)
{
    struct adi3_request *r = user_op->request;

    if (user_op->left > 1) {
        user_op->left--;
        if (err)
            r->flags |= REQUEST_RELEASED;
        else
            *request = request_user_acquire(r);
        return err;
    }
    if (!err)
        err = r->error;
    free(user_op);
    request_free(r);
    return err;
}

int rma_send(struct adi3_win *w, struct rma_target *t, const struct adi3_rma *x,
             MPI_Request *request)
{
    struct user_op *user_op = NULL;
    int err = check_range(w, t, x);

    assert(adi3_lock_held());
    if (!err)
        err = packet_op_reach(w, t->rank);
    piggyback_send();
    if (!err && request)
        err = user_op_new(w, t->rank, &user_op);
    if (err)
        return err;
    err = message_await_room(w, t);
    if (!err && (t->lock_due || t->awaits_lock))
        err = remote_lock_ready(w, t, is_small(x));
    if (!err && !device_start(w, t, x, user_op))
        err = message_start(w, t, x, user_op);
    return request ? end_call(user_op, err, request) : err;
}
