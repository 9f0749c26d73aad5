/* threads.c — X04: threads with a window each, in epochs of all kinds; threads that share a window
 * in one epoch; windows made by several threads at once; a thread that waits for a lock alone. */
#include "../threads/threads.h"
#include "rma.h"

enum { THREADS = 4, TIMES = 30 };

static MPI_Comm comm[THREADS];
static MPI_Win shared; /* all threads use it between lock_all and unlock_all */
static MPI_Win own[THREADS];
static long *own_base[THREADS];

/* Each thread makes a window on its own communicator, uses it, and frees it. */
static void *make_and_use(void *arg)
{
    int t = (int) (intptr_t) arg, next = (rank + 1) % size, previous = (rank + size - 1) % size;
    long *base, value[2], got;
    MPI_Win win;

    for (int i = 0; i < 3; i++) {
        MPI_Win_allocate(64, 8, MPI_INFO_NULL, comm[t], &base, &win);
        base[0] = base[1] = -1;
        value[0] = 100 * t + 10 * i + rank;
        value[1] = -value[0];
        MPI_Win_fence(0, win);
        MPI_Put(&value[0], 1, MPI_LONG, next, 0, 1, MPI_LONG, win);
        MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
        CHECK_INT(base[0], 100 * t + 10 * i + previous);
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, next, 0, win);
        MPI_Put(&value[1], 1, MPI_LONG, next, 1, 1, MPI_LONG, win);
        MPI_Win_flush(next, win);
        MPI_Get(&got, 1, MPI_LONG, next, 1, 1, MPI_LONG, win);
        MPI_Win_unlock(next, win);
        CHECK_INT(got, value[1]);
        MPI_Win_free(&win);
    }
    return NULL;
}

/* Words of the shared window: 0 is the counter, from 1 on each thread of each rank has one. */
static void *share(void *arg)
{
    int t = (int) (intptr_t) arg, mine = 1 + rank * THREADS + t;
    long one = 1, old, last = -1, got, value;
    MPI_Request r;

    for (int i = 0; i < TIMES; i++) {
        int target = (rank + t + i) % size;

        MPI_Fetch_and_op(&one, &old, MPI_LONG, 0, 0, MPI_SUM, shared);
        MPI_Win_flush(0, shared);
        CHECK(old > last && old < (long) TIMES * THREADS * size);
        last = old;
        value = 1000 * mine + i;
        if (i % 2) {
            MPI_Put(&value, 1, MPI_LONG, target, mine, 1, MPI_LONG, shared);
        } else {
            MPI_Rput(&value, 1, MPI_LONG, target, mine, 1, MPI_LONG, shared, &r);
            MPI_Wait(&r, MPI_STATUS_IGNORE);
        }
        MPI_Win_flush(target, shared);
        got = -1;
        MPI_Rget(&got, 1, MPI_LONG, target, mine, 1, MPI_LONG, shared, &r);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
        CHECK_INT(got, value);
        if (i % 8 == 0)
            MPI_Win_flush_all(shared);
    }
    return NULL;
}

static void test_share(void)
{
    long *base, total = -1;

    MPI_Win_allocate(8 * (1 + THREADS * size), 8, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &shared);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, shared);
    memset(base, 0, (size_t) (8 * (1 + THREADS * size)));
    MPI_Win_unlock(rank, shared);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, shared);
    threads_run(THREADS, share);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Fetch_and_op(NULL, &total, MPI_LONG, 0, 0, MPI_NO_OP, shared);
    MPI_Win_unlock_all(shared);
    CHECK_INT(total, (long) TIMES * THREADS * size);
    MPI_Win_free(&shared);
}

/* Counters under exclusive locks, of as many windows as threads. */
static void *count(void *arg)
{
    int t = (int) (intptr_t) arg, target = t % size;
    long v;

    for (int i = 0; i < TIMES / 3; i++) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, own[t]);
        MPI_Get(&v, 1, MPI_LONG, target, 0, 1, MPI_LONG, own[t]);
        MPI_Win_flush(target, own[t]);
        v++;
        MPI_Put(&v, 1, MPI_LONG, target, 0, 1, MPI_LONG, own[t]);
        MPI_Win_unlock(target, own[t]);
    }
    return NULL;
}

/* Rank 0 holds the lock until a message of the other rank's second thread has come: the first one
 * waits for the lock meanwhile. */
static void *waits_alone(void *arg)
{
    int x = 0;

    if ((intptr_t) arg == 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, own[0]);
        MPI_Win_unlock(0, own[0]);
    } else {
        rma_pause(2000);
        MPI_Send(&x, 1, MPI_INT, 0, 8, MPI_COMM_WORLD);
    }
    return NULL;
}

static void test_own(void)
{
    int x;

    for (int t = 0; t < THREADS; t++) {
        MPI_Win_allocate(64, 8, MPI_INFO_NULL, comm[t], &own_base[t], &own[t]);
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, own[t]);
        own_base[t][0] = 0;
        MPI_Win_unlock(rank, own[t]);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    threads_run(THREADS, count);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int t = 0; t < THREADS; t++) {
        MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, own[t]);
        CHECK_INT(own_base[t][0], rank == t % size ? TIMES / 3 * size : 0);
        MPI_Win_unlock(rank, own[t]);
    }
    if (rank == 0 && size > 1)
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, own[0]);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        threads_run(2, waits_alone);
    if (rank == 0 && size > 1) {
        MPI_Recv(&x, 1, MPI_INT, 1, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Win_unlock(0, own[0]);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int t = 0; t < THREADS; t++)
        MPI_Win_free(&own[t]);
}

int main(int argc, char **argv)
{
    threads_init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int t = 0; t < THREADS; t++)
        MPI_Comm_dup(MPI_COMM_WORLD, &comm[t]);
    test_share();
    test_own();
    threads_run(THREADS, make_and_use);
    for (int t = 0; t < THREADS; t++)
        MPI_Comm_free(&comm[t]);
    MPI_Finalize();
    return 0;
}
