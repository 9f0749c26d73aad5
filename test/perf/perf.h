/* perf.h — shared by the benchmarks: options, the gate outside MPI, samples between probes.
 *
 * They are plain MPI programs for any library. Options of all of them:
 *   -z 8,1024   sizes in bytes            -s 5    samples of each size
 *   -m 20       length of a sample in ms  -i 100  iterations of a sample, instead of -m
 *   -p          each rank on a core of its own, when there are enough
 *   -o a,b      only the measurements with these names
 * Rank 0 prints one line for each sample: name, size, value, unit, distance of two cores meanwhile,
 * and the two probes in ns:
 *   latency 8 0.123 us near 61 63 */
#ifndef PERF_H
#define PERF_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

struct perf_options {
    int rank, size; /* in MPI_COMM_WORLD */
    int samples, iters;
    double sample_ms;
    bool pin;
    size_t sizes[64];
    int nsizes;
    size_t max_size;
    const char *only;
};

extern struct perf_options perf;

struct perf_case {
    const char *name, *unit;
    void (*run)(size_t size, int iters); /* on all ranks */
    /* What rank 0 prints, from the seconds of the slowest rank. */
    double (*value)(size_t size, int iters, double seconds);
};

struct perf_start {
    int min_ranks;
    const char *sizes;       /* without -z */
    const char *own_options; /* of this program, as in getopt; NULL: none */
    void (*more)(int letter, const char *value);
};

/* Starts MPI and reads the options. Ends the job when it has fewer ranks than are needed. */
void perf_begin(int argc, char **argv, const struct perf_start *s);
int perf_end(void); /* for main to return */

/* Takes all samples: each size in turn, so that slow changes affect all alike. */
void perf_run(const struct perf_case *c);
bool perf_wanted(const char *name); /* by -o */

/* A barrier outside MPI, in which the ranks sleep. Ranks that sleep long let their library work. */
void perf_gate(void);
/* The same, but no rank calls MPI meanwhile. */
void perf_quiet_gate(void);
/* The largest of all ranks' values, outside MPI. */
double perf_max(double mine);

void *perf_buffer(size_t len);    /* touched; ends the program without memory */
double perf_cpu_ms(void);         /* this process's time on a core so far */
void perf_burn(double us);        /* computes until it has had a core that long */
void perf_fail(const char *what); /* ends the job with a text */
void perf_print(const char *name, size_t size, double value, const char *unit); /* without probes */

/* Values of perf_case */
double perf_us_each(size_t size, int iters, double seconds);
double perf_us_half(size_t size, int iters, double seconds);

#endif /* PERF_H */
