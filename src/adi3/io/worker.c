/* worker.c — requests on files: threads of the library move the data, while the program computes.
 *
 * A worker touches nothing of ADI3 but the job that it has taken from the queue. It puts the
 * result into a list and makes a descriptor readable, on which processes that wait sleep; the next
 * poll completes the requests. */
#include <errno.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include "adi3/io/io_impl.h"
#include "adi3/request/request.h"

enum { WORKERS = 2, TOGETHER = 128 };

struct job {
    void (*run)(void *arg);
    void *arg;
    struct adi3_access *access; /* NULL: run() is not of one call */
    struct adi3_request *request;
    struct os_ring_op op; /* of the ring; length 0: a worker does the job */
    struct job *next;
};

static struct os_lock lock; /* of the two lists */
static struct job *first, **last = &first, *finished;
static _Atomic uint32_t queued; /* jobs ever; a futex for workers */
static _Atomic unsigned done;   /* jobs in `finished` */
static _Atomic bool ends;
static struct os_thread worker[WORKERS];
static int workers, under_way, event = -1;

static const void *requests_of_file(const void *file)
{
    return &((const struct adi3_file *) file)->under_way;
}

const struct counter io_counters[] = {
    COUNTER_ROW("io_workers", COUNTER_LEVEL, workers, "threads",
                "How many threads of the library move the data of requests on files."),
    COUNTER_ROW("io_jobs", COUNTER_LEVEL, under_way, "jobs",
                "How many requests on files these threads have been given and have not ended."),
    COUNTER_OBJECT_ROW("io_file_requests", COUNTER_LEVEL, COUNTER_OF_FILE, requests_of_file,
                       "requests", "How many requests on the file are under way."),
    { 0 }
};

/* ---- workers --------------------------------------------------------------------------------- */

/* The first one, or NULL; with `op` only if an operation does it. */
static struct job *worker_job_take(bool op)
{
    os_lock_take(&lock);
    struct job *j = first && op && !first->op.len ? NULL : first;
    if (j && !(first = j->next))
        last = &first;
    os_lock_drop(&lock);
    return j;
}

static void worker_job_finish(struct job *j)
{
    const uint64_t one = 1;

    os_lock_take(&lock);
    j->next = finished;
    finished = j;
    atomic_fetch_add(&done, 1);
    os_lock_drop(&lock);
    (void) !write(event, &one, sizeof one);
}

static void worker_job_run(struct job *j)
{
    j->run(j->arg);
    worker_job_finish(j);
}

/* What the ring has not moved whole, for whatever reason, is moved again in the plain way, which
 * goes on after short counts and knows the errors. */
static void end_op(struct job *j, int64_t moved)
{
    struct adi3_access *a = j->access;

    if (moved != j->op.len) {
        worker_job_run(j);
        return;
    }
    a->moved = j->op.len;
    a->error = a->code = 0;
    worker_job_finish(j);
}

/* Runs two jobs and those behind them, many at a time. A full ring leaves the rest in the queue. */
static void run_together(struct os_ring *ring, struct job *one, struct job *j)
{
    int64_t moved;
    int n = 1;

    os_ring_push(ring, &one->op, one);
    while (j || n) {
        for (; j; j = n < TOGETHER ? worker_job_take(true) : NULL) {
            os_ring_push(ring, &j->op, j);
            n++;
        }
        if (os_ring_go(ring))
            for (; (j = os_ring_take_back(ring)); n--)
                worker_job_run(j);
        for (; (j = os_ring_pop(ring, &moved)); n--)
            end_op(j, moved);
        j = n < TOGETHER ? worker_job_take(true) : NULL;
    }
}

/* For a job by itself a plain call is as fast. */
static void run_first(struct os_ring *ring, struct job *j)
{
    struct job *next = ring && j->op.len ? worker_job_take(true) : NULL;

    if (next)
        run_together(ring, j, next);
    else
        worker_job_run(j);
}

static void *worker_main(void *nothing)
{
    struct os_ring *ring = NULL;
    bool tried = false;

    while (!atomic_load(&ends)) {
        uint32_t seen = atomic_load(&queued);
        struct job *j = worker_job_take(false);
        if (j && j->op.len && !tried) {
            ring = os_ring_open(TOGETHER);
            tried = true;
        }
        if (j)
            run_first(ring, j);
        else
            (void) os_futex_wait(&queued, seen, UINT64_MAX);
    }
    if (ring)
        os_ring_close(ring);
    return nothing;
}

/* ---- completing ------------------------------------------------------------------------------ */

static void end_access(struct adi3_request *r, struct adi3_access *a)
{
    r->got = (size_t) a->moved;
    r->error = adi3_file_result(a);
    a->file->under_way--;
    adi3_type_release(a->data.type);
    free(a);
}

static void worker_job_complete(struct job *j)
{
    struct adi3_request *r = j->request;

    if (j->access)
        end_access(r, j->access);
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
        worker_job_complete(j);
    }
    return true;
}

/* ---- starting -------------------------------------------------------------------------------- */

/* Starts a worker, up to one for each job under way, at most WORKERS. False: no worker runs. */
static bool have_worker(void)
{
    if (event < 0)
        event = os_new_fd(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (event < 0)
        return false;
    if (workers < WORKERS && under_way >= workers
        && !os_thread_start(&worker[workers], worker_main))
        workers++;
    return workers > 0;
}

static void worker_job_enqueue(struct job *j)
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

static struct adi3_request *new_request(struct adi3_comm *c)
{
    struct adi3_request *r = request_new(ADI3_FILE_ACCESS, c, MPI_ANY_SOURCE, MPI_ANY_TAG);

    if (r)
        r->len = 0;
    return r;
}

/* Without a worker the call itself does it. */
static int worker_job_start(struct job job, struct adi3_comm *c, MPI_Request *request)
{
    struct job *j = malloc(sizeof *j);

    assert(adi3_lock_held());
    job.request = j ? new_request(c) : NULL;
    if (!job.request) {
        free(j);
        return adi3_no_memory("for a request");
    }
    *j = job;
    *request = request_user_acquire(j->request);
    if (have_worker()) {
        worker_job_enqueue(j);
        return MPI_SUCCESS;
    }
    j->run(j->arg);
    worker_job_complete(j);
    return MPI_SUCCESS;
}

int adi3_file_run(struct adi3_comm *c, void (*run)(void *arg), void *arg, MPI_Request *request)
{
    return worker_job_start((struct job) { .run = run, .arg = arg }, c, request);
}

static void access_move(void *access) { adi3_file_move(access); }

int adi3_file_start(const struct adi3_access *a, MPI_Request *request)
{
    struct adi3_access *copy = malloc(sizeof *copy);

    if (!copy)
        return adi3_no_memory("for a request");
    *copy = *a;
    a->data.type->refs++;
    a->file->under_way++;
    const struct job j = { .run = access_move, .arg = copy, .access = copy, .op = io_one_op(copy) };
    int err = worker_job_start(j, a->file->comm, request);
    if (err) {
        adi3_type_release(a->data.type);
        a->file->under_way--;
        free(copy);
    }
    return err;
}

int adi3_file_done(const struct adi3_access *a, MPI_Request *request)
{
    struct adi3_request *r = new_request(a->file->comm);

    if (!r)
        return adi3_no_memory("for a request");
    r->got = (size_t) a->moved;
    r->error = adi3_file_result(a);
    *request = request_user_acquire(r);
    request_done(r);
    return MPI_SUCCESS;
}

/* A request that the program has freed is taken back, so that it can be waited for as any other.
 * Other threads begin calls meanwhile. */
void adi3_file_wait_freed(const struct adi3_file *f)
{
    const char *name = adi3_current.call;
    struct adi3_request *r, *next;

    assert(adi3_lock_held());
    for (next = adi3_next(&adi3_requests, NULL); (r = next);) {
        bool freed =
            r->kind == ADI3_FILE_ACCESS && r->comm == f->comm && r->flags & REQUEST_RELEASED;
        if (freed) {
            r->flags &= (uint16_t) ~REQUEST_RELEASED;
            adi3_wait_done(r);
        }
        next = adi3_next(&adi3_requests, r);
        if (freed)
            (void) adi3_request_finish(r, MPI_STATUS_IGNORE);
    }
    adi3_current.call = name;
}

void adi3_file_status(MPI_Status *status, uint64_t bytes)
{
    request_status(status, MPI_ANY_SOURCE, MPI_ANY_TAG, (size_t) bytes);
}

/* ---- life ------------------------------------------------------------------------------------ */

int io_worker_init(void)
{
    static const struct request_kind kind = { .name = "an access to a file" };
    int err = request_kind_add(ADI3_FILE_ACCESS, &kind);

    if (!err)
        err = progress_source_add(&source);
    return err;
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
