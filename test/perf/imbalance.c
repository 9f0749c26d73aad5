/* imbalance.c — compute 100 us, more or less 50, then exchange 8 bytes with a partner: how much
 * time is lost in addition? A library that sleeps at once pays for waking up; one that never sleeps
 * takes the core from other processes that compute.
 *
 *   imbalance       us that an iteration takes beyond the computing, at best spread over the cores
 *   imbalance_cpu   us on a core that a rank takes beyond its computing */
#include <stdint.h>
#include "perf.h"
#include "probe.h"

enum { LEAST_US = 50, SPREAD_US = 100 };

static double wasted_us; /* by all iterations of this rank */
static int cores;

/* The same series on each rank and for each library. */
static double compute_us(int rank, int i)
{
    uint64_t x = ((uint64_t) rank << 32 | (uint32_t) i) * 0x9e3779b97f4a7c15u;

    x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9u;
    return LEAST_US + SPREAD_US * (double) (x >> 40) / (double) (1 << 24);
}

static int partner_of(int rank) { return (rank ^ 1) < perf.size ? rank ^ 1 : MPI_PROC_NULL; }

static void compute_and_exchange(size_t size, int iters)
{
    double mine, theirs, cpu = perf_cpu_ms(), computed = 0;
    int other = partner_of(perf.rank);

    (void) size;
    for (int i = 0; i < iters; i++) {
        mine = compute_us(perf.rank, i);
        perf_burn(mine);
        computed += mine;
        MPI_Sendrecv(&mine, 1, MPI_DOUBLE, other, 1, &theirs, 1, MPI_DOUBLE, other, 1,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    wasted_us = (perf_cpu_ms() - cpu) * 1e3 - computed;
}

/* The time of the slowest pair with cores for all; with fewer, of all work spread over them. */
static double best_us(int iters)
{
    double slowest = 0, all = 0;

    for (int rank = 0; rank < perf.size; rank += 2) {
        double pair = 0;
        for (int i = 0; i < iters; i++) {
            double a = compute_us(rank, i);
            double b = rank + 1 < perf.size ? compute_us(rank + 1, i) : 0;
            pair += a > b ? a : b;
            all += a + b;
        }
        slowest = pair > slowest ? pair : slowest;
    }
    int used = cores < perf.size ? cores : perf.size;
    return perf.size <= cores || all / used < slowest ? slowest : all / used;
}

static double overhead_us(size_t size, int iters, double seconds)
{
    (void) size;
    return (seconds * 1e6 - best_us(iters)) / iters;
}

static double cpu_us(size_t size, int iters, double seconds)
{
    (void) size;
    (void) seconds;
    return wasted_us / iters;
}

int main(int argc, char **argv)
{
    const struct perf_start start = { 2, "8", NULL, NULL };
    const struct perf_case time = { "imbalance", "us", compute_and_exchange, overhead_us };
    const struct perf_case cpu = { "imbalance_cpu", "us", compute_and_exchange, cpu_us };
    cpu_set_t all;

    perf_begin(argc, argv, &start);
    cores = probe_cores(&all);
    perf_run(&time);
    perf_run(&cpu);
    return perf_end();
}
