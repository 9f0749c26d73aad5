/* request.c — the pool of requests, and the life of a request: memory, completion, status,
 * waiting. */
#include <string.h>
#include "adi3/request/request_impl.h"

const struct adi3_request *request_awaited;
static int request_handles(const void *object);
struct adi3_pool adi3_requests = ADI3_POOL_OF(ADI3_REQUEST, struct adi3_request, request_handles);

/* Requests of blocking calls and those that schedules own have no handle that the user could
 * free. */
static int request_handles(const void *object)
{
    const struct adi3_request *r = object;

    return (!(r->flags & (REQUEST_RELEASED | REQUEST_OWNED)) || r->kind == ADI3_MESSAGE)
           && adi3_creator(&adi3_requests, r);
}

struct adi3_request *request_new(enum adi3_kind kind, struct adi3_comm *c, int rank, int tag)
{
    assert(adi3_lock_held());
    if (__builtin_expect(!adi3_requests.first, 0) && !adi3_pool_grow(&adi3_requests))
        return NULL;
    return request_take(kind, c, rank, tag);
}

void request_drop_data(struct adi3_request *r)
{
    if (__builtin_expect(!r->scattered, 1))
        return;
    r->scattered = false;
    adi3_type_release(r->data.type);
}

__attribute__((noinline)) static void free_flagged(struct adi3_request *r)
{
    if (request_kinds[r->kind]->end)
        request_kinds[r->kind]->end(r);
}

/* inline here and below: so that link-time optimization inlines it in other files too. */
inline void request_free(struct adi3_request *r)
{
    struct adi3_comm *c = r->comm;

    assert(adi3_lock_held() && !r->posted.all.next);
    request_drop_data(r);
    if (__builtin_expect(r->flags & (REQUEST_PERSISTENT | REQUEST_SPECIAL | REQUEST_SCHEDULE), 0))
        free_flagged(r);
    adi3_free(&adi3_requests, r);
    adi3_comm_release(c);
}

static const struct adi3_data *data_of(const struct dev_memory *m)
{
    return &OS_OWNER(m, const struct adi3_request, memory)->data;
}

static void memory_gather(const struct dev_memory *m, size_t at, void *to, size_t len)
{
    adi3_pack(data_of(m), at, to, len);
}

static void memory_scatter(const struct dev_memory *m, size_t at, const void *from, size_t len)
{
    adi3_unpack(data_of(m), at, from, len);
}

static int memory_ranges(const struct dev_memory *m, size_t *at, struct iovec *v, int n)
{
    return adi3_ranges(data_of(m), at, v, n);
}

void request_data(struct adi3_request *r, const struct adi3_data *d)
{
    assert(!r->scattered);
    r->len = d->count * d->type->size;
    r->bytes = adi3_one_range(d);
    if (__builtin_expect(r->bytes || r->len == 0, 1))
        return;
    r->scattered = true;
    r->data = *d;
    r->data.type->refs++;
    r->memory = (struct dev_memory) { memory_gather, memory_scatter, memory_ranges };
}

void request_deliver(const struct adi3_request *r, const void *payload)
{
    assert(r->got <= r->len);
    if (r->scattered)
        adi3_unpack(&r->data, 0, payload, r->got);
    else if (r->got)
        memcpy(r->bytes, payload, r->got);
}

__attribute__((noinline)) static void done_flagged(struct adi3_request *r)
{
    if (r->flags & REQUEST_ENDS)
        request_run_ends(r);
    if (r->flags & REQUEST_WATCHED)
        any_signal(r);
    if (r->flags & REQUEST_OWNED) {
        r->flags &= (uint16_t) ~REQUEST_OWNED;
        r->owner->owned_done(r->owner, r);
    } else if (r->flags & REQUEST_RELEASED) {
        (void) adi3_request_release(r);
    }
}

void request_done(struct adi3_request *r)
{
    assert(adi3_lock_held() && r->state != ADI3_DONE && !r->posted.all.next);
    r->state = ADI3_DONE;
    thread_signal_waiters(r);
    if (__builtin_expect(r->flags, 0))
        done_flagged(r);
}

inline struct adi3_request *adi3_request_get(MPI_Request handle)
{
    struct adi3_request *r = adi3_get(&adi3_requests, handle);

    return r && !(r->flags & REQUEST_RELEASED) ? r : NULL;
}

struct adi3_comm *adi3_request_comm(const struct adi3_request *r) { return r->comm; }
bool adi3_request_done(const struct adi3_request *r) { return r->state == ADI3_DONE; }
bool adi3_request_inactive(const struct adi3_request *r) { return r->state == ADI3_INIT; }

void adi3_request_count(MPI_Request handle, size_t bytes)
{
    struct adi3_request *r = adi3_get(&adi3_requests, handle);

    assert(adi3_lock_held() && r && r->state == ADI3_ACTIVE);
    r->got = bytes;
}

bool adi3_request_persists(const struct adi3_request *r)
{
    return __builtin_expect(r->flags & REQUEST_PERSISTENT, 0);
}

/* The count has 63 bits: the low 32 in one member, the others above the bit for `cancelled`. */
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
    if (r->flags & REQUEST_CANCELLED)
        adi3_status_cancel(status, true);
}

__attribute__((noinline)) static int finish_flagged(struct adi3_request *r, MPI_Status *status)
{
    int err = r->error;

    if (request_kinds[r->kind]->finish)
        return request_kinds[r->kind]->finish(r, status);
    request_drop_data(r);
    status_of(r, status);
    if (r->flags & REQUEST_PERSISTENT) {
        r->flags &= REQUEST_PERSISTENT | REQUEST_SCHEDULE;
        r->state = ADI3_INIT;
    } else {
        request_free(r);
    }
    return err;
}

int adi3_request_peek(struct adi3_request *r, MPI_Status *status)
{
    assert(adi3_lock_held());
    assert(r->state == ADI3_DONE);
    if (request_kinds[r->kind]->peek)
        return request_kinds[r->kind]->peek(r, status);
    status_of(r, status);
    return r->error;
}

inline int adi3_request_finish(struct adi3_request *r, MPI_Status *status)
{
    int err = r->error;

    assert(adi3_lock_held());
    assert(r->state == ADI3_DONE);
    if (__builtin_expect(r->flags, 0)) {
        if (r->flags != REQUEST_PERSISTENT || r->scattered)
            return finish_flagged(r, status);
        request_status(status, r->posted.rank, r->posted.tag, r->got);
        r->state = ADI3_INIT;
        return err;
    }
    request_status(status, r->posted.rank, r->posted.tag, r->got);
    request_free(r);
    return err;
}

/* Whether completing r takes no more than adi3_request_finish() does itself. */
static inline bool is_plainly_done(const struct adi3_request *r)
{
    return r && r->state == ADI3_DONE && !r->error
           && __builtin_expect(!r->flags || (r->flags == REQUEST_PERSISTENT && !r->scattered), 1);
}

/* Completes one request of an array, if that is plain. */
static inline bool finish_plain(MPI_Request *h, MPI_Status *status)
{
    struct adi3_request *r = adi3_get(&adi3_requests, *h);

    if (__builtin_expect(is_plainly_done(r), 1)) {
        if (__builtin_expect(!r->flags, 1))
            *h = MPI_REQUEST_NULL;
        (void) adi3_request_finish(r, status);
        return true;
    }
    if (*h != ADI3_REQUEST_COMPLETE)
        return false;
    *h = MPI_REQUEST_NULL;
    request_status(status, MPI_ANY_SOURCE, MPI_ANY_TAG, 0);
    return true;
}

/* A handle is looked up once, not once for each question about its request, and where there are no
 * statuses none is thought of: these loops bound how many messages a process receives in a
 * second. */
int adi3_requests_finish(int count, MPI_Request h[], MPI_Status statuses[])
{
    int i = 0;

    assert(adi3_lock_held());
    if (statuses == MPI_STATUSES_IGNORE)
        while (i < count && finish_plain(&h[i], MPI_STATUS_IGNORE))
            i++;
    else
        while (i < count && finish_plain(&h[i], &statuses[i]))
            i++;
    return i;
}

int adi3_requests_check(int count, const MPI_Request h[])
{
    int i = 0;

    while (i < count
           && (adi3_request_get(h[i]) || h[i] == ADI3_REQUEST_COMPLETE || h[i] == MPI_REQUEST_NULL))
        i++;
    return i;
}

int adi3_request_freeable(const struct adi3_request *r)
{
    if (request_kinds[r->kind]->must_complete && r->state != ADI3_INIT)
        return adi3_error(MPI_ERR_REQUEST, "request 0x%x is of %s, which must be completed",
                          (unsigned) r->handle, request_kinds[r->kind]->name);
    return MPI_SUCCESS;
}

int adi3_request_release(struct adi3_request *r)
{
    assert(adi3_lock_held());
    r->flags |= REQUEST_RELEASED;
    if (r->state != ADI3_DONE && r->state != ADI3_INIT)
        return MPI_SUCCESS;
    if (request_kinds[r->kind]->release)
        return request_kinds[r->kind]->release(r);
    request_free(r);
    return MPI_SUCCESS;
}

int adi3_startable(const struct adi3_request *r)
{
    if (!(r->flags & REQUEST_PERSISTENT))
        return adi3_error(MPI_ERR_REQUEST, "request 0x%x is not persistent", (unsigned) r->handle);
    if (r->state != ADI3_INIT)
        return adi3_error(MPI_ERR_REQUEST, "request 0x%x is active already", (unsigned) r->handle);
    return MPI_SUCCESS;
}

int adi3_start(struct adi3_request *r)
{
    assert(adi3_lock_held() && r->flags & REQUEST_PERSISTENT && r->state == ADI3_INIT);
    return request_kinds[r->kind]->start(r);
}

int adi3_cancel(struct adi3_request *r)
{
    int (*cancel)(struct adi3_request *) = request_kinds[r->kind]->cancel;

    assert(adi3_lock_held());
    return cancel ? cancel(r) : MPI_SUCCESS;
}

/* ---- waiting --------------------------------------------------------------------------------- */

/* The bytes of a message count once it is announced: it is being copied then, which is worth a
 * longer spin. */
void request_look(struct adi3_wait *w)
{
    const struct adi3_request *r = w->on;
    bool announced = r->kind != ADI3_RECV || r->state == ADI3_ACTIVE;

    w->peer = r->peer;
    if (!r->peer && r->posted.rank >= 0 && r->kind <= ADI3_RECV)
        w->peer = &r->comm->proc[r->posted.rank]->peer;
    w->bytes = announced ? r->len : 0;
    w->what = request_kinds[r->kind]->name;
}

void adi3_wait_for(const struct adi3_request *r)
{
    struct adi3_wait w = { .on = r, .look = request_look };

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

void adi3_wait_each(const struct adi3_request *r)
{
    request_awaited = adi3_threads || r->kind == ADI3_RECV ? NULL : r;
    adi3_wait_for(r);
    request_awaited = NULL;
}
