/* oversubscribe.c — the cost of a waiting rank.
 *
 *   blocked_cpu       ms on a core that a rank takes while it waits in MPI_Recv (-t seconds, 3)
 *   recv_slowdown     how much longer rank 0 computes while all others wait in MPI_Recv
 *   barrier_slowdown  the same in MPI_Barrier
 *
 * How ranks slow each other when all of them communicate: collectives.c, with more ranks than
 * cores. */
#include <stdlib.h>
#include <time.h>
#include "perf.h"
#include "probe.h"

static double wait_seconds = 3;
static long work; /* turns of the loop that take a sample's time alone */

static void own_option(int letter, const char *value)
{
    (void) letter;
    wait_seconds = strtod(value, NULL);
}

/* A fixed amount of work: it takes longer when other processes take the core. */
static double seconds_of(long turns)
{
    volatile double x = 1;
    double start = probe_now();

    for (long i = 0; i < turns; i++)
        x = x * 0.999999 + 1e-6;
    return probe_now() - start;
}

static void calibrate(void)
{
    double took;

    for (work = 1000; (took = seconds_of(work)) < perf.sample_ms * 1e-3 / 8;)
        work *= 2;
    work = (long) ((double) work * perf.sample_ms * 1e-3 / took);
}

static void send_to_all(void)
{
    for (int i = 1; i < perf.size; i++)
        MPI_Send(NULL, 0, MPI_BYTE, i, 1, MPI_COMM_WORLD);
}

static void get(void) { MPI_Recv(NULL, 0, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE); }

static void barrier(void) { MPI_Barrier(MPI_COMM_WORLD); }

static void blocked_cpu(void)
{
    time_t whole = (time_t) wait_seconds;
    const struct timespec pause = { whole, (long) ((wait_seconds - (double) whole) * 1e9) };
    double cpu = 0;

    perf_gate();
    if (perf.rank == 0) {
        (void) nanosleep(&pause, NULL);
        send_to_all();
    } else {
        double before = perf_cpu_ms();
        get();
        cpu = perf_cpu_ms() - before;
    }
    cpu = perf_max(cpu);
    perf_print("blocked_cpu", 0, cpu, "ms");
}

/* Rank 0 computes first while the others sleep at the gate, then while they wait in MPI. */
static void slowdown(const char *name, void (*release)(void), void (*wait)(void))
{
    double alone = 0, shared = 0;

    for (int s = 0; s < perf.samples && perf_wanted(name); s++) {
        perf_gate();
        if (perf.rank == 0)
            alone = seconds_of(work);
        perf_gate();
        if (perf.rank == 0) {
            shared = seconds_of(work);
            release();
        } else {
            wait();
        }
        perf_print(name, 0, shared / alone, "times");
    }
}

int main(int argc, char **argv)
{
    const struct perf_start start = { 2, "0", "t:", own_option };

    perf_begin(argc, argv, &start);
    if (perf_wanted("blocked_cpu"))
        blocked_cpu();
    if (perf.rank == 0)
        calibrate();
    slowdown("recv_slowdown", send_to_all, get);
    slowdown("barrier_slowdown", barrier, barrier);
    return perf_end();
}
