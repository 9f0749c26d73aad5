/* linear.c — with many outstanding receives and sends each costs as much as with few; a call that
 * completes one of many requests looks at each of them once. */
#include <time.h>
#include "mpitest.h"

enum { FEW = 30000, MANY = 4 * FEW, TRIES = 8, CALLS = 300 };

static int rank, size, next, previous, *out, *in;
static MPI_Request *request;

enum { OWN_TAGS = 1, UNEXPECTED = 2, ORDERS = 4 }; /* bits of an order */

static void receives(int n, int tags)
{
    for (int i = 0; i < n; i++)
        MPI_Irecv(&in[i], 1, MPI_INT, previous, i % tags, MPI_COMM_WORLD, &request[i]);
}

static void sends(int n, int tags)
{
    for (int i = 0; i < n; i++)
        MPI_Isend(&out[i], 1, MPI_INT, next, i % tags, MPI_COMM_WORLD, &request[n + i]);
}

/* Processor time of this process, on which other programs have little effect. */
static double seconds(void)
{
    struct timespec t;

    CHECK(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t) == 0);
    return (double) t.tv_sec + (double) t.tv_nsec * 1e-9;
}

/* Seconds for n messages, all outstanding at the same time, and more than any device takes at once:
 * when the sender has to wait, each message costs more. */
static double outstanding(int n, int order)
{
    int tags = order & OWN_TAGS ? n : 1;

    for (int i = 0; i < n; i++)
        in[i] = -1;
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = seconds();
    if (order & UNEXPECTED)
        sends(n, tags);
    else
        receives(n, tags);
    MPI_Barrier(MPI_COMM_WORLD);
    if (order & UNEXPECTED)
        receives(n, tags);
    else
        sends(n, tags);
    MPI_Waitall(2 * n, request, MPI_STATUSES_IGNORE);
    double took = seconds() - begin;
    for (int i = 0; i < n; i++)
        CHECK_INT(in[i], i);
    return took;
}

/* Seconds for CALLS messages to the last of n posted receives, from the last backwards. */
static double any_of(int n, int some)
{
    receives(n, n);
    MPI_Barrier(MPI_COMM_WORLD);
    double begin = seconds();
    for (int i = n - 1; i >= n - CALLS; i--) {
        int at = -1, count = 0;

        MPI_Isend(&out[i], 1, MPI_INT, next, i, MPI_COMM_WORLD, &request[n]);
        if (some == 0)
            MPI_Waitany(n, request, &at, MPI_STATUS_IGNORE);
        else if (some == 1)
            MPI_Waitsome(n, request, &count, &at, MPI_STATUSES_IGNORE);
        while (some == 2 && count == 0)
            MPI_Testsome(n, request, &count, &at, MPI_STATUSES_IGNORE);
        CHECK_INT(at, i);
        CHECK(request[i] == MPI_REQUEST_NULL);
        MPI_Wait(&request[n], MPI_STATUS_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD); /* no second message arrives meanwhile: at is one index */
    }
    double took = seconds() - begin;
    sends(n - CALLS, n);
    MPI_Waitall(2 * n, request, MPI_STATUSES_IGNORE);
    return took;
}

/* With n times as many requests the time may grow n times plus a constant, but not with the square.
 * Another program can disturb a measurement: all processes repeat it until it is good in all. */
static void compare(const char *what, double measure(int n, int how), int how, int few, int times)
{
    double of_few = 0, of_many = 0;

    for (int i = 0; i < TRIES; i++) {
        of_few = measure(few, how);
        of_many = measure(times * few, how);
        int good = of_many < 0.05 || of_many < times * times * 2 / 3 * of_few, all;
        MPI_Allreduce(&good, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
        if (all)
            return;
    }
    fprintf(stderr, "%s: %g s for %d, %g s for %d times as many\n", what, of_few, few, of_many,
            times);
    CHECK(!"time is linear");
}

int main(int argc, char **argv)
{
    static const char *const orders[] = { "posted receives with one tag",
                                          "posted receives with tags of their own",
                                          "unexpected messages with one tag",
                                          "unexpected messages with tags of their own" };
    static const char *const calls[] = { "MPI_Waitany", "MPI_Waitsome", "MPI_Testsome" };

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    next = (rank + 1) % size;
    previous = (rank + size - 1) % size;
    out = mpitest_memory(MANY * sizeof *out);
    in = mpitest_memory(MANY * sizeof *in);
    request = malloc(2 * MANY * sizeof *request);
    CHECK(request);
    for (int i = 0; i < MANY; i++)
        out[i] = i;
    int step = test_size(ORDERS - 1, 1); /* the first and the last, or all */
    for (int order = 0; order < ORDERS; order += step)
        compare(orders[order], outstanding, order, FEW, 4);
    for (int i = 0; i < 2 * MANY; i++)
        request[i] = MPI_REQUEST_NULL;
    for (int call = 0; call < 3; call++)
        compare(calls[call], any_of, call, 1000, 10);
    free(out);
    free(in);
    free(request);
    MPI_Finalize();
    return 0;
}
