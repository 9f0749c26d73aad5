/* async.c — passive targets are served while they compute: locks, operations and flushes of others
 * end although the target makes no MPI call, and while its calls run functions of the program.
 *
 * Only for Starling. The processes are on one host: each origin sends rank 0 a signal when it is
 * done, so that rank 0 can wait for that without MPI. Argument: multiple, for that thread level. */
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>
#include "rma_test.h"

enum { N = 1000, ROUNDS = 20, PATIENCE_S = 20, BYTES = N * (int) sizeof(long) };

static int rank, size;
static sigset_t signals;
static long *memory;
static MPI_Aint base; /* the displacement of rank 0's memory */

/* ---- windows --------------------------------------------------------------------------------- */

static MPI_Win make(int flavor)
{
    MPI_Win w;

    memory = NULL;
    base = 0;
    if (flavor == MPI_WIN_FLAVOR_ALLOCATE)
        MPI_Win_allocate(BYTES, sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &w);
    else
        memory = mpitest_memory(BYTES);
    if (flavor == MPI_WIN_FLAVOR_CREATE)
        MPI_Win_create(memory, BYTES, sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &w);
    if (flavor == MPI_WIN_FLAVOR_DYNAMIC) {
        MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &w);
        MPI_Win_attach(w, memory, BYTES);
        MPI_Get_address(memory, &base);
        MPI_Bcast(&base, 1, MPI_AINT, 0, MPI_COMM_WORLD);
    }
    memset(memory, 0, BYTES);
    return w;
}

static MPI_Aint at(int flavor, int i)
{
    return flavor == MPI_WIN_FLAVOR_DYNAMIC ? base + i * (MPI_Aint) sizeof(long) : i;
}

/* ---- the target ------------------------------------------------------------------------------ */

/* Computes without MPI until all origins are done. */
static void compute(void)
{
    const struct timespec now = { 0, 0 };
    time_t begin = time(NULL);
    volatile double x = 1;

    for (int done = 0; done < size - 1;) {
        for (int i = 0; i < 1000; i++)
            x = x * 0.999 + 0.001;
        done += sigtimedwait(&signals, NULL, &now) == SIGRTMIN;
        CHECK(time(NULL) - begin < PATIENCE_S);
    }
}

static int query(void *extra, MPI_Status *status)
{
    int r;

    (void) extra;
    MPI_Comm_rank(MPI_COMM_WORLD, &r);
    MPI_Status_set_elements(status, MPI_BYTE, 0);
    MPI_Status_set_cancelled(status, 0);
    compute();
    return MPI_SUCCESS;
}

static int free_extra(void *extra)
{
    (void) extra;
    return MPI_SUCCESS;
}

static int cancel(void *extra, int complete)
{
    (void) extra, (void) complete;
    return MPI_SUCCESS;
}

static void handle(MPI_Comm *c, int *err, ...)
{
    int r;

    (void) c, (void) err;
    MPI_Comm_rank(MPI_COMM_WORLD, &r);
    compute();
}

static void combine(void *in, void *inout, int *len, MPI_Datatype *type)
{
    (void) in, (void) inout, (void) len, (void) type;
    compute();
}

/* Computes in functions of the program that MPI calls. */
static void compute_in(int where)
{
    MPI_Errhandler handler;
    MPI_Request r;
    MPI_Op op;
    int n = 0, sum = 0;

    switch (where) {
    case 0:
        compute();
        break;
    case 1:
        MPI_Grequest_start(query, free_extra, cancel, NULL, &r);
        MPI_Grequest_complete(r);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        break;
    case 2:
        MPI_Comm_create_errhandler(handle, &handler);
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
        CHECK_INT(error_class(MPI_Send(&n, 1, MPI_INT, size, 0, MPI_COMM_WORLD)), MPI_ERR_RANK);
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
        MPI_Errhandler_free(&handler);
        break;
    case 3:
        MPI_Op_create(combine, 1, &op);
        MPI_Reduce_local(&n, &sum, 1, MPI_INT, op);
        MPI_Op_free(&op);
        break;
    }
}

/* ---- origins --------------------------------------------------------------------------------- */

/* All origins add to all elements, each under the lock, then by accumulates. */
static void change(MPI_Win w, int flavor)
{
    long own[N], one = 1, was;

    for (int i = 0; i < ROUNDS; i++) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, w);
        MPI_Get(own, N, MPI_LONG, 0, at(flavor, 0), N, MPI_LONG, w);
        MPI_Win_flush(0, w);
        for (int k = 0; k < N; k++)
            own[k]++;
        MPI_Put(own, N, MPI_LONG, 0, at(flavor, 0), N, MPI_LONG, w);
        MPI_Win_unlock(0, w);
    }
    for (int k = 0; k < N; k++)
        own[k] = 1;
    MPI_Win_lock_all(0, w);
    for (int i = 0; i < ROUNDS; i++) {
        MPI_Accumulate(own, N, MPI_LONG, 0, at(flavor, 0), N, MPI_LONG, MPI_SUM, w);
        MPI_Fetch_and_op(&one, &was, MPI_LONG, 0, at(flavor, i), MPI_SUM, w);
        MPI_Win_flush(0, w);
        CHECK(was >= i);
    }
    MPI_Win_unlock_all(w);
}

static void test(int flavor, int where)
{
    MPI_Win w = make(flavor);
    pid_t pid = getpid();

    MPI_Bcast(&pid, sizeof pid, MPI_BYTE, 0, MPI_COMM_WORLD);
    if (rank == 0)
        compute_in(where);
    else {
        const union sigval none = { 0 };
        change(w, flavor);
        CHECK(!sigqueue(pid, SIGRTMIN, none));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, w);
    for (int k = 0; k < N && rank == 0; k++)
        CHECK(memory[k] == (size - 1) * (2 * ROUNDS + (k < ROUNDS)));
    MPI_Win_unlock(rank, w);
    MPI_Win_free(&w);
    if (flavor != MPI_WIN_FLAVOR_ALLOCATE)
        free(memory);
}

int main(int argc, char **argv)
{
    int level, wanted = argc > 1 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE;

    (void) sigemptyset(&signals);
    (void) sigaddset(&signals, SIGRTMIN);
    (void) pthread_sigmask(SIG_BLOCK, &signals, NULL);
    MPI_Init_thread(&argc, &argv, wanted, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int where = 0; where < 4; where++) {
        test(MPI_WIN_FLAVOR_CREATE, where);
        test(MPI_WIN_FLAVOR_ALLOCATE, where);
        test(MPI_WIN_FLAVOR_DYNAMIC, where);
    }
    MPI_Finalize();
    return 0;
}
