/* vanish_rma.c — a process dies in one-sided communication, and no launcher cleans up. Each process
 * that needs it soon gets an error that names it, and all other processes go on.
 *
 * Of three processes, process 1 ends. The others print "ok" when the test passes. Usage:
 * vanish_rma WAY [DELAY_US] */
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>
#include "mpitest.h"

enum { LONGS = 100000 };

static int rank;
static long delay_us, *base, in[LONGS];
static MPI_Win win;
static MPI_Group one, others; /* process 1; the others */

/* Ends without closing its connections. Not by a signal: some launchers end with that. */
static void die(int signal)
{
    (void) signal;
    _exit(3);
}

static void die_later(void)
{
    const struct itimerval t = { .it_value = { delay_us / 1000000, delay_us % 1000000 + 1 } };

    (void) signal(SIGALRM, die);
    setitimer(ITIMER_REAL, &t, NULL);
}

static void must_name_it(int err)
{
    char text[MPI_MAX_ERROR_STRING];
    int n;

    MPI_Error_string(err, text, &n);
    if ((!strstr(text, "process 1 of MPI_COMM_WORLD") && !strstr(text, "rank 1 of "))
        || strncmp(text, "MPI_ERR_OTHER: ", 15))
        mpitest_fail(__FILE__, __LINE__, text);
}

/* ---- ways ------------------------------------------------------------------------------------ */

/* Process 1 has the lock of process 0's window, or waits for it, when it ends. */
static int lock(void)
{
    int err = MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);

    if (err)
        return err;
    err = MPI_Put(in, 1, MPI_LONG, 0, rank, 1, MPI_LONG, win);
    int last = MPI_Win_unlock(0, win);
    return err ? err : last;
}

static void hold(void)
{
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
    MPI_Win_flush(0, win);
}

/* The memory of process 1 is written and read all the while. A process of the same node may go on
 * with it: then the fence at the end tells. */
static int operations(void)
{
    long old;
    int err = MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);

    if (err)
        return err;
    for (int i = 0; i < 100 && !err; i++) {
        err = MPI_Put(in, LONGS, MPI_LONG, 1, 0, LONGS, MPI_LONG, win);
        err = err ? err : MPI_Accumulate(in, LONGS, MPI_LONG, 1, 0, LONGS, MPI_LONG, MPI_SUM, win);
        err = err ? err : MPI_Get(in, LONGS, MPI_LONG, 1, 0, LONGS, MPI_LONG, win);
        err = err ? err : MPI_Fetch_and_op(in, &old, MPI_LONG, 1, 0, MPI_SUM, win);
        err = err ? err : MPI_Win_flush(1, win);
    }
    int last = MPI_Win_unlock(1, win);
    return err ? err : last;
}

static int until(int (*f)(void))
{
    double end = MPI_Wtime() + 1;
    int err;

    do
        err = f();
    while (!err && MPI_Wtime() < end);
    return err;
}

static int fence(void)
{
    int err = MPI_Put(in, 100, MPI_LONG, (rank + 1) % 3, 0, 100, MPI_LONG, win);
    int last = MPI_Win_fence(0, win);

    return err ? err : last;
}

/* Process 1 does not post. */
static int start(void)
{
    int err = MPI_Win_start(one, 0, win);

    err = err ? err : MPI_Put(in, 1, MPI_LONG, 1, 0, 1, MPI_LONG, win);
    int last = MPI_Win_complete(win);
    return err ? err : last;
}

/* Process 1 does not complete. */
static int post(void)
{
    int err = MPI_Win_post(one, 0, win);

    return err ? err : MPI_Win_wait(win);
}

static void process_1(const char *way)
{
    if (strcmp(way, "holder") == 0)
        hold();
    MPI_Barrier(MPI_COMM_WORLD);
    die_later();
    if (strcmp(way, "locker") == 0)
        for (;;)
            lock();
    if (strcmp(way, "fence") == 0)
        for (MPI_Win_fence(0, win);;)
            fence();
    if (strcmp(way, "starter") == 0) {
        MPI_Win_start(others, 0, win);
        MPI_Put(in, 1, MPI_LONG, 0, 0, 1, MPI_LONG, win);
    }
    for (;;)
        pause();
}

static void of_others(const char *way)
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (strcmp(way, "holder") == 0)
        must_name_it(lock());
    else if (strcmp(way, "locker") == 0) {
        int err = until(lock); /* it may have died without the lock */
        if (err)
            must_name_it(err);
    } else if (strcmp(way, "operations") == 0) {
        int err = until(operations);
        must_name_it(err ? err : MPI_Win_fence(0, win));
    } else if (strcmp(way, "fence") == 0) {
        int err = MPI_Win_fence(0, win);
        must_name_it(err ? err : until(fence));
    } else if (strcmp(way, "leaver") == 0) {
        if (rank == 2) /* process 0 has freed its window; its memory may still be there */
            (void) until(lock);
    } else if (strcmp(way, "poster") == 0)
        must_name_it(start());
    else
        must_name_it(post());
}

/* Processes 0 and 2 still communicate. */
static void talk(void)
{
    int small = 0;

    for (int i = 0; i < 100; i++) {
        if (rank == 0)
            CHECK(!MPI_Send(&small, 1, MPI_INT, 2, 5, MPI_COMM_WORLD));
        CHECK(!MPI_Recv(&small, 1, MPI_INT, 2 - rank, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        if (rank == 2)
            CHECK(!MPI_Send(&small, 1, MPI_INT, 0, 5, MPI_COMM_WORLD));
    }
}

int main(int argc, char **argv)
{
    MPI_Group world;

    (void) signal(SIGUSR1, SIG_IGN); /* Hydra's signal for the death of a process */
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    const char *way = argc > 1 ? argv[1] : "holder";
    delay_us = argc > 2 ? atol(argv[2]) : 20000;
    MPI_Win_allocate(sizeof in, sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &base, &win);
    MPI_Win_set_name(win, "w");
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, (int[]) { 1 }, &one);
    MPI_Group_excl(world, 1, (int[]) { 1 }, &others);
    if (rank == 1)
        process_1(way);
    of_others(way);
    if (strcmp(way, "leaver") != 0)
        talk();
    must_name_it(MPI_Win_free(&win));
    CHECK(win == MPI_WIN_NULL);
    talk();
    MPI_Group_free(&world);
    MPI_Group_free(&one);
    MPI_Group_free(&others);
    MPI_Finalize();
    printf("ok\n");
    return 0;
}
