/* mixed.c — does one kind of call, or computing, make the next calls slow? And do processes that
 * poll take the core from those that they wait for? Each value is a time divided by another one of
 * the same run.
 *
 *   barrier_after_alltoalls   the barrier behind alltoalls of 1 MiB, by the one before
 *   barrier_after_computing   the same behind computing of one process after another
 *   ring_by_test, ...         a message round a ring received by polls, by the same with waits */
#include <stdlib.h>
#include <string.h>
#include "perf.h"

enum { BYTES = 1 << 20, ALLTOALLS = 8, TURNS = 16, TURN_US = 5000, TAG = 1 };

/* Microseconds of each barrier, for this many ms. */
static double barrier_us(double ms)
{
    double begin = MPI_Wtime(), now = begin;
    int count = 0;

    for (int go = 1; go;) {
        for (int i = 0; i < 16; i++)
            MPI_Barrier(MPI_COMM_WORLD);
        count += 16;
        now = MPI_Wtime();
        go = now - begin < ms * 1e-3;
        MPI_Bcast(&go, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    return (now - begin) * 1e6 / count;
}

static char *out, *in;

static void alltoalls(void)
{
    for (int i = 0; i < ALLTOALLS; i++)
        MPI_Alltoall(out, BYTES, MPI_BYTE, in, BYTES, MPI_BYTE, MPI_COMM_WORLD);
}

/* One process computes while the others wait. */
static void turns(void)
{
    for (int i = 0; i < TURNS; i++) {
        if (i % perf.size == perf.rank)
            perf_burn(TURN_US);
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

static void barrier_after(const char *name, void (*phase)(void))
{
    for (int s = 0; s < perf.samples && perf_wanted(name); s++) {
        perf_gate();
        double before = barrier_us(5 * perf.sample_ms);
        phase();
        perf_print(name, 0, barrier_us(5 * perf.sample_ms) / before, "times");
    }
}

static void by_wait(int from)
{
    int data;

    MPI_Recv(&data, 1, MPI_INT, from, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void by_iprobe(int from)
{
    for (int flag = 0; !flag;)
        MPI_Iprobe(from, TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    by_wait(from);
}

static void by_improbe(int from)
{
    int data, flag = 0;
    MPI_Message message;

    while (!flag)
        MPI_Improbe(from, TAG, MPI_COMM_WORLD, &flag, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(&data, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
}

static MPI_Request post(int from)
{
    static int data;
    MPI_Request r;

    MPI_Irecv(&data, 1, MPI_INT, from, TAG, MPI_COMM_WORLD, &r);
    return r;
}

static void by_test(int from)
{
    MPI_Request r = post(from);

    for (int flag = 0; !flag;)
        MPI_Test(&r, &flag, MPI_STATUS_IGNORE);
}

static void by_testall(int from)
{
    MPI_Request r = post(from);

    for (int flag = 0; !flag;)
        MPI_Testall(1, &r, &flag, MPI_STATUSES_IGNORE);
}

static void by_testany(int from)
{
    MPI_Request r = post(from);

    for (int flag = 0, index; !flag;)
        MPI_Testany(1, &r, &index, &flag, MPI_STATUS_IGNORE);
}

static void by_testsome(int from)
{
    MPI_Request r = post(from);

    for (int count = 0, index; !count;)
        MPI_Testsome(1, &r, &count, &index, MPI_STATUSES_IGNORE);
}

static void by_get_status(int from)
{
    MPI_Request r = post(from);

    for (int flag = 0; !flag;)
        MPI_Request_get_status(r, &flag, MPI_STATUS_IGNORE);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
}

/* All processes send to the next one, and receive from the one before, once a round. */
static double round_us(void (*receive)(int from))
{
    int next = (perf.rank + 1) % perf.size, before = (perf.rank + perf.size - 1) % perf.size;
    double begin = MPI_Wtime(), now = begin;
    int rounds = 0;

    for (int go = 1; go;) {
        for (int i = 0; i < 10; i++) {
            MPI_Send(&rounds, 1, MPI_INT, next, TAG, MPI_COMM_WORLD);
            receive(before);
        }
        rounds += 10;
        now = MPI_Wtime();
        go = now - begin < perf.sample_ms * 1e-3;
        MPI_Bcast(&go, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    return (now - begin) * 1e6 / rounds;
}

static void ring(const char *name, void (*receive)(int from))
{
    for (int s = 0; s < perf.samples && perf_wanted(name); s++) {
        perf_gate();
        double waited = round_us(by_wait);
        perf_print(name, 0, round_us(receive) / waited, "times");
    }
}

int main(int argc, char **argv)
{
    const struct perf_start start = { 2, "0", NULL, NULL };

    perf_begin(argc, argv, &start);
    out = perf_buffer((size_t) perf.size * BYTES);
    in = perf_buffer((size_t) perf.size * BYTES);
    ring("ring_by_test", by_test);
    ring("ring_by_testall", by_testall);
    ring("ring_by_testany", by_testany);
    ring("ring_by_testsome", by_testsome);
    ring("ring_by_get_status", by_get_status);
    ring("ring_by_iprobe", by_iprobe);
    ring("ring_by_improbe", by_improbe);
    barrier_after("barrier_after_alltoalls", alltoalls);
    barrier_after("barrier_after_computing", turns);
    free(out);
    free(in);
    return perf_end();
}
