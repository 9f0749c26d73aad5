/* generalized.c — generalized requests: operations of the user behind a request of MPI (§12.2).
 *
 * The user's functions run without the lock and may call MPI. Meanwhile REQUEST_RELEASED hides the
 * request from other threads; it is freed after the last of the functions. */
#include <stdlib.h>
#include "adi3/progress/progress.h"
#include "adi3/request/request_impl.h"

static int generalized_release(struct adi3_request *r)
{
    const struct adi3_callbacks *u = r->users;

    (void) adi3_unlock_for(SIZE_MAX);
    int err = u->language->free(u->free, u->extra);
    adi3_lock();
    request_free(r);
    return err;
}

/* The user's status keeps its MPI_ERROR: calls for one request do not set it (§3.2.5). */
static int generalized_peek(const struct adi3_request *r, MPI_Status *status)
{
    const struct adi3_callbacks *u = r->users;
    MPI_Status s = { .MPI_ERROR = MPI_SUCCESS };

    request_status(&s, MPI_ANY_SOURCE, MPI_ANY_TAG, 0);
    (void) adi3_unlock_for(SIZE_MAX);
    int err = u->language->query(u->query, u->extra, &s);
    adi3_lock();
    if (status == MPI_STATUS_IGNORE)
        return err;
    s.MPI_ERROR = status->MPI_ERROR;
    *status = s;
    return err;
}

/* Returns the error of the function called last that failed. */
static int generalized_finish(struct adi3_request *r, MPI_Status *status)
{
    r->flags |= REQUEST_RELEASED;
    int queried = generalized_peek(r, status), freed = generalized_release(r);

    return freed ? freed : queried;
}

static int generalized_cancel(struct adi3_request *r)
{
    const struct adi3_callbacks *u = r->users;
    bool complete = r->state == ADI3_DONE;

    (void) adi3_unlock_for(SIZE_MAX);
    int err = u->language->cancel(u->cancel, u->extra, complete);
    adi3_lock();
    return err;
}

static void generalized_end(struct adi3_request *r) { free(r->users); }

static const struct request_kind kind = { .name = "a generalized request",
                                          .cancel = generalized_cancel,
                                          .finish = generalized_finish,
                                          .peek = generalized_peek,
                                          .release = generalized_release,
                                          .end = generalized_end };

/* ---- polling --------------------------------------------------------------------------------- */

static bool is_polled(const struct adi3_request *r)
{
    return r->kind == ADI3_GENERALIZED && r->state == ADI3_ACTIVE
           && (r->users->poll || r->users->wait);
}

static void call_poll(const struct adi3_callbacks *u)
{
    void *extra = u->extra;
    MPI_Status s = { .MPI_ERROR = MPI_SUCCESS };
    MPIX_Grequest_poll_function *poll_fn = u->poll;
    MPIX_Grequest_wait_function *wait_fn = u->wait;

    (void) adi3_unlock_for(SIZE_MAX);
    (void) (poll_fn ? poll_fn(extra, &s) : wait_fn(1, &extra, 0, &s));
    adi3_lock();
}

static bool poll_all(void);
static bool never_sleeps(void) { return false; } /* no thread would wake a sleeper */
static struct progress_source source = { .name = "generalized requests",
                                         .poll = poll_all,
                                         .may_sleep = never_sleeps,
                                         .calls_program = true };

/* A function that calls MPI must not be called by itself. Where a request has gone meanwhile, the
 * next poll goes on. True when one is complete. */
static bool poll_all(void)
{
    static bool polling;
    bool moved = false, any = false, there = true;

    if (polling)
        return false;
    polling = true;
    for (struct adi3_request *r = NULL; there && (r = adi3_next(&adi3_requests, r));) {
        MPI_Request h = r->handle;
        if (!is_polled(r))
            continue;
        any = true;
        call_poll(r->users);
        there = adi3_get(&adi3_requests, h) == r;
        moved |= !there || r->state == ADI3_DONE;
    }
    polling = false;
    if (!any)
        progress_unwant(&source);
    return moved;
}

int request_init(void)
{
    int err = request_kind_add(ADI3_GENERALIZED, &kind);

    if (!err)
        err = progress_source_add(&source);
    return err;
}

int adi3_general_start(const struct adi3_callbacks *users, MPI_Request *request)
{
    struct adi3_callbacks *copy = malloc(sizeof *copy);
    struct adi3_request *r =
        copy ? request_new(ADI3_GENERALIZED, &adi3_world, MPI_ANY_SOURCE, MPI_ANY_TAG) : NULL;

    assert(adi3_lock_held());
    if (!r) {
        free(copy);
        return adi3_no_memory("for a request");
    }
    *copy = *users;
    r->flags = REQUEST_SPECIAL;
    r->state = ADI3_ACTIVE;
    r->users = copy;
    r->len = 0;
    if (copy->poll || copy->wait)
        progress_want(&source);
    *request = request_user_acquire(r);
    return MPI_SUCCESS;
}

void adi3_general_set_language(struct adi3_request *r, const struct adi3_language *language)
{
    assert(adi3_lock_held() && r->kind == ADI3_GENERALIZED);
    r->users->language = language;
}

struct adi3_request *adi3_general_get(MPI_Request handle)
{
    struct adi3_request *r = adi3_get(&adi3_requests, handle);

    return r && r->kind == ADI3_GENERALIZED ? r : NULL;
}

int adi3_general_complete(struct adi3_request *r)
{
    assert(adi3_lock_held());
    assert(r->kind == ADI3_GENERALIZED);
    if (r->state == ADI3_DONE)
        return adi3_error(MPI_ERR_REQUEST, "request 0x%x is complete already",
                          (unsigned) r->handle);
    if (r->flags & REQUEST_RELEASED) {
        r->state = ADI3_DONE;
        return generalized_release(r);
    }
    request_done(r);
    return MPI_SUCCESS;
}
