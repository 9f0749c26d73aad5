/* worker.c — requests on files: threads of the library move the data, while the program computes.
 *
 * A worker touches nothing of ADI3 but the access that it has taken from the queue. It puts the
 * result into a list and makes a descriptor readable, on which processes that wait sleep; the next
 * poll completes the requests. */
#include <errno.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include "io_impl.h"
#include "request.h"

enum { WORKERS = 2 };

struct job {
    struct adi3_access access;
    struct adi3_request *request;
    struct job *next;
};

static struct os_lock lock; /* of the two lists */
static struct job *first, **last = &first, *finished;
static _Atomic uint32_t queued; /* jobs ever; a futex for workers */
static _Atomic unsigned done;   /* jobs in `finished` */
static _Atomic bool ends;
static struct os_thread worker[WORKERS];
static int workers, under_way, event = -1;

/* ---- workers --------------------------------------------------------------------------------- */

static struct job *take(void)
{
    os_lock_take(&lock);
    struct job *j = first;
    if (j && !(first = j->next))
        last = &first;
    os_lock_drop(&lock);
    return j;
}

static void put(struct job *j)
{
    const uint64_t one = 1;

    os_lock_take(&lock);
    j->next = finished;
    finished = j;
    atomic_fetch_add(&done, 1);
    os_lock_drop(&lock);
    (void) !write(event, &one, sizeof one);
}

static void *work(void *nothing)
{
    while (!atomic_load(&ends)) {
        uint32_t seen = atomic_load(&queued);
        struct job *j = take();
        if (j) {
            adi3_file_move(&j->access);
            put(j);
        } else
            (void) os_futex_wait(&queued, seen, UINT64_MAX);
    }
    return nothing;
}

/* ---- completing ------------------------------------------------------------------------------ */

static void complete(struct job *j)
{
    struct adi3_request *r = j->request;

    r->got = (size_t) j->access.moved;
    r->error = adi3_file_result(&j->access);
    j->access.file->under_way--;
    adi3_type_release(j->access.data.type);
    free(j);
    request_done(r);
}

static bool poll_jobs(void);
static int wait_fd(void) { return event; }
static struct progress_source source = { .name = "files", .poll = poll_jobs, .wait_fd = wait_fd };

static bool poll_jobs(void)
{
    uint64_t count;

    if (!atomic_load_explicit(&done, memory_order_acquire))
        return false;
    (void) !read(event, &count, sizeof count);
    os_lock_take(&lock);
    struct job *j = finished, *next;
    finished = NULL;
    atomic_store(&done, 0);
    os_lock_drop(&lock);
    for (; j; j = next) {
        next = j->next;
        if (--under_way == 0)
            progress_unwant(&source);
        complete(j);
    }
    return true;
}

/* ---- starting -------------------------------------------------------------------------------- */

/* One worker for each job that is under way, up to all. False: there is none. */
static bool have_worker(void)
{
    if (event < 0)
        event = os_new_fd(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (event < 0)
        return false;
    if (workers < WORKERS && under_way >= workers && !os_thread_start(&worker[workers], work))
        workers++;
    return workers > 0;
}

static void enqueue(struct job *j)
{
    if (under_way++ == 0)
        progress_want(&source);
    os_lock_take(&lock);
    *last = j;
    last = &j->next;
    os_lock_drop(&lock);
    atomic_fetch_add(&queued, 1);
    os_futex_wake(&queued, 1);
}

/* Without a worker the call itself moves the data. */
int adi3_file_start(const struct adi3_access *a, MPI_Request *request)
{
    struct job *j = malloc(sizeof *j);
    struct adi3_request *r =
        j ? request_new(ADI3_FILE_ACCESS, a->file->comm, MPI_ANY_SOURCE, MPI_ANY_TAG) : NULL;

    assert(adi3_lock_held());
    if (!r) {
        free(j);
        return request_no_memory();
    }
    *j = (struct job) { .access = *a, .request = r };
    a->data.type->refs++;
    a->file->under_way++;
    r->len = 0;
    *request = request_user_acquire(r);
    if (have_worker()) {
        enqueue(j);
        return MPI_SUCCESS;
    }
    adi3_file_move(&j->access);
    complete(j);
    return MPI_SUCCESS;
}

int adi3_file_done(const struct adi3_access *a, MPI_Request *request)
{
    struct adi3_request *r =
        request_new(ADI3_FILE_ACCESS, a->file->comm, MPI_ANY_SOURCE, MPI_ANY_TAG);

    if (!r)
        return request_no_memory();
    r->len = 0;
    r->got = (size_t) a->moved;
    r->error = adi3_file_result(a);
    *request = request_user_acquire(r);
    request_done(r);
    return MPI_SUCCESS;
}

void adi3_file_status(MPI_Status *status, uint64_t bytes)
{
    request_status(status, MPI_ANY_SOURCE, MPI_ANY_TAG, (size_t) bytes);
}

/* ---- life ------------------------------------------------------------------------------------ */

int io_worker_init(void)
{
    static const struct request_kind kind = { .name = "an access to a file",
                                              .must_complete = true };
    int err = request_kind_add(ADI3_FILE_ACCESS, &kind);

    return err ? err : progress_source_add(&source);
}

/* Requests that the program has left go on to their end. */
void io_worker_end(void)
{
    struct adi3_wait w = { .what = "accesses to files" };

    while (under_way)
        adi3_wait_turn(&w);
    adi3_wait_end(&w);
    atomic_store(&ends, true);
    atomic_fetch_add(&queued, 1);
    os_futex_wake(&queued, OS_WAKE_ALL);
    while (workers > 0)
        os_thread_join(&worker[--workers]);
    if (event >= 0)
        (void) close(event);
    event = -1;
    atomic_store(&ends, false);
}
