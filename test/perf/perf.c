/* perf.c — samples and options of the benchmarks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include "gate.h"
#include "perf.h"
#include "probe.h"

enum { SIZES = sizeof perf.sizes / sizeof perf.sizes[0], PAGE = 4096 };

struct perf_options perf = { .samples = 5, .sample_ms = 20 };

/* ---- options --------------------------------------------------------------------------------- */

void perf_fail(const char *what)
{
    (void) fprintf(stderr, "rank %d: %s\n", perf.rank, what);
    (void) MPI_Abort(MPI_COMM_WORLD, 2);
    exit(2);
}

static void read_sizes(const char *text)
{
    char *end;

    perf.nsizes = 0;
    perf.max_size = 0;
    for (;; text = end + 1) {
        size_t size = strtoul(text, &end, 10);
        if (end == text || perf.nsizes == SIZES || (*end && *end != ','))
            perf_fail("-z takes at most 64 sizes, such as 8,1024");
        perf.sizes[perf.nsizes++] = size;
        if (size > perf.max_size)
            perf.max_size = size;
        if (!*end)
            return;
    }
}

static void common_option(int letter, const char *value)
{
    switch (letter) {
    case 'z':
        read_sizes(value);
        break;
    case 's':
        perf.samples = (int) strtol(value, NULL, 10);
        break;
    case 'i':
        perf.iters = (int) strtol(value, NULL, 10);
        break;
    case 'm':
        perf.sample_ms = strtod(value, NULL);
        break;
    case 'o':
        perf.only = value;
        break;
    case 'p':
        perf.pin = true;
        break;
    default:
        perf_fail("options: -z sizes -s samples -m ms -i iterations -o names -p, see perf.h");
    }
}

void perf_begin(int argc, char **argv, const struct perf_start *s)
{
    char letters[64];
    cpu_set_t all;
    int letter;

    int started;
    (void) MPI_Initialized(&started); /* true in a program with threads */
    if (!started)
        (void) MPI_Init(&argc, &argv);
    (void) MPI_Comm_rank(MPI_COMM_WORLD, &perf.rank);
    (void) MPI_Comm_size(MPI_COMM_WORLD, &perf.size);
    read_sizes(s->sizes);
    (void) snprintf(letters, sizeof letters, "z:s:i:m:o:p%s", s->own_options ? s->own_options : "");
    while ((letter = getopt(argc, argv, letters)) != -1) {
        if (s->own_options && letter != '?' && strchr(s->own_options, letter))
            s->more(letter, optarg);
        else
            common_option(letter, optarg);
    }
    if (perf.size < s->min_ranks)
        perf_fail("this benchmark needs more ranks");
    gate_open();
    if (perf.pin && perf.size <= probe_cores(&all) && !probe_pin(perf.rank))
        perf_fail("cannot stay on one core");
}

int perf_end(void)
{
    (void) MPI_Finalize();
    return 0;
}

bool perf_wanted(const char *name)
{
    size_t len = strlen(name);

    for (const char *at = perf.only; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (!strncmp(at, name, len) && (at[len] == ',' || !at[len]))
            return true;
    return !perf.only;
}

/* ---- samples --------------------------------------------------------------------------------- */

/* The seconds of the slowest rank, known to all. */
static double timed(const struct perf_case *c, size_t size, int iters)
{
    double start = probe_now();

    c->run(size, iters);
    return perf_max(probe_now() - start);
}

/* The number of iterations with which a sample takes as long as it should. This warms up, too. */
static int calibrate(const struct perf_case *c, size_t size)
{
    double wanted = perf.sample_ms * 1e-3, took;
    int iters = 1;

    if (perf.iters)
        return perf.iters;
    perf_gate();
    while ((took = timed(c, size, iters)) < wanted / 8 && iters < 1 << 26)
        iters *= 4;
    double fits = iters * wanted / took;
    return fits < 1 ? 1 : (int) fits;
}

static void sample(const struct perf_case *c, size_t size, int iters)
{
    double before = gate_probe();

    c->run(size, iters / 16 < 64 ? (iters + 15) / 16 : 64);
    perf_gate();
    double seconds = timed(c, size, iters), after = gate_probe();
    if (perf.rank)
        return;
    (void) printf("%s %zu %.6g %s %s %.0f %.0f\n", c->name, size, c->value(size, iters, seconds),
                  c->unit, probe_name(probe_class(before, after)), before, after);
    (void) fflush(stdout);
}

void perf_run(const struct perf_case *c)
{
    int iters[SIZES];

    if (!perf_wanted(c->name))
        return;
    for (int i = 0; i < perf.nsizes; i++)
        iters[i] = calibrate(c, perf.sizes[i]);
    for (int s = 0; s < perf.samples; s++)
        for (int i = 0; i < perf.nsizes; i++)
            sample(c, perf.sizes[i], iters[i]);
}

void perf_print(const char *name, size_t size, double value, const char *unit)
{
    if (perf.rank == 0)
        (void) printf("%s %zu %.6g %s any 0 0\n", name, size, value, unit);
    (void) fflush(stdout);
}

double perf_us_each(size_t size, int iters, double seconds)
{
    (void) size;
    return seconds * 1e6 / iters;
}

double perf_us_half(size_t size, int iters, double seconds)
{
    return perf_us_each(size, iters, seconds) / 2;
}

/* ---- work and memory ------------------------------------------------------------------------- */

void *perf_buffer(size_t len)
{
    size_t rounded = (len + PAGE) / PAGE * PAGE;
    void *p = aligned_alloc(PAGE, rounded);

    if (!p)
        perf_fail("out of memory");
    return memset(p, 1, rounded);
}

static double clock_us(clockid_t clock)
{
    struct timespec t;

    (void) clock_gettime(clock, &t);
    return (double) t.tv_sec * 1e6 + (double) t.tv_nsec * 1e-3;
}

double perf_cpu_ms(void) { return clock_us(CLOCK_PROCESS_CPUTIME_ID) * 1e-3; }

void perf_burn(double us)
{
    double until = clock_us(CLOCK_THREAD_CPUTIME_ID) + us;

    while (clock_us(CLOCK_THREAD_CPUTIME_ID) < until)
        ;
}
