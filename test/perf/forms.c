/* forms.c — the benefit of nonblocking and persistent collective operations.
 *
 * overlap_*  of the time that Iallreduce and Ialltoall take alone, the part that is hidden behind a
 *            computation of the same length, in percent; *_idle: rank 0 alone computes, three
 *            times as long, and the others wait in MPI_Wait: with two cores the one that is left
 *            does the communication of both, one after the other
 * async_*    the same with Starling's asynchronous progress (-a)
 * ..._over_blocking   8-byte allreduce by Start and Wait, or by Iallreduce and Wait, divided by
 *                     MPI_Allreduce, in alternation */
#include <stdlib.h>
#include <string.h>
#include "perf.h"
#include "probe.h"
#include "turns.h"

enum { IDLE_LENGTHS = 3, ROUNDS = 4, LEN = 8, MS_LEAST = 8 };

/* Not every library has it. */
int MPI_Allreduce_init(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op,
                       MPI_Comm comm, MPI_Info info, MPI_Request *request) __attribute__((weak));

static char *out, *in;
static bool async;

static int doubles(size_t size) { return (int) (size / sizeof(double)); }

/* ---- overlap --------------------------------------------------------------------------------- */

static void begin_allreduce(size_t size, MPI_Request *r)
{
    MPI_Iallreduce(out, in, doubles(size), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, r);
}

/* size bytes in all */
static void begin_alltoall(size_t size, MPI_Request *r)
{
    int each = (int) (size / (size_t) perf.size);

    MPI_Ialltoall(out, each, MPI_BYTE, in, each, MPI_BYTE, MPI_COMM_WORLD, r);
}

struct overlap {
    const char *name, *async_name;
    void (*begin)(size_t size, MPI_Request *r);
    bool one_computes;
};

/* Seconds of the slowest rank for each of n turns: an operation, computation, or both. */
static double timed(const struct overlap *o, size_t size, int n, bool operation, double compute_us)
{
    bool computes = compute_us > 0 && (perf.rank == 0 || !o->one_computes);
    MPI_Request r = MPI_REQUEST_NULL;

    perf_gate();
    MPI_Barrier(MPI_COMM_WORLD);
    double start = probe_now();
    for (int i = 0; i < n; i++) {
        if (operation)
            o->begin(size, &r);
        if (computes)
            perf_burn(compute_us);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
    }
    return perf_max(probe_now() - start) / n;
}

/* A sample: a few rounds, long enough that wake-ups do not count. */
static double hidden(const struct overlap *o, size_t size)
{
    double alone = timed(o, size, 1, true, 0), pure = 0, computing = 0, both = 0;
    int n = 1 + (int) (MS_LEAST * 1e-3 / alone);

    if (perf.iters)
        n = perf.iters;
    for (int i = 0; i < ROUNDS; i++) {
        alone = timed(o, size, n, true, 0);
        double compute_us = alone * 1e6 * (o->one_computes ? IDLE_LENGTHS : 1);
        pure += alone;
        computing += timed(o, size, n, false, compute_us);
        both += timed(o, size, n, true, compute_us);
    }
    double part = (pure + computing - both) / pure;
    return part < 0 ? 0 : 100 * part;
}

static void overlap(const struct overlap *o)
{
    const char *name = async ? o->async_name : o->name;

    for (int s = 0; s < perf.samples && perf_wanted(name); s++)
        for (int i = 0; i < perf.nsizes; i++)
            perf_print(name, perf.sizes[i], hidden(o, perf.sizes[i]), "%");
}

/* ---- forms ----------------------------------------------------------------------------------- */

static MPI_Request persistent;

static void blocking(int n)
{
    for (int i = 0; i < n; i++)
        MPI_Allreduce(out, in, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void nonblocking(int n)
{
    MPI_Request r;

    for (int i = 0; i < n; i++) {
        begin_allreduce(LEN, &r);
        MPI_Wait(&r, MPI_STATUS_IGNORE);
    }
}

static void started(int n)
{
    for (int i = 0; i < n; i++) {
        MPI_Start(&persistent);
        MPI_Wait(&persistent, MPI_STATUS_IGNORE);
    }
}

static void nonblocking_in_turns(size_t size, int iters)
{
    (void) size;
    turns_take((void (*const[])(int)) { nonblocking, blocking }, iters);
}

static void persistent_in_turns(size_t size, int iters)
{
    (void) size;
    turns_take((void (*const[])(int)) { started, blocking }, iters);
}

static void forms(void)
{
    const struct perf_case cases[] = {
        { "nonblocking_over_blocking", "ratio", nonblocking_in_turns, turns_ratio },
        { "persistent_over_blocking", "ratio", persistent_in_turns, turns_ratio },
    };

    perf.nsizes = 1;
    perf.sizes[0] = LEN;
    perf_run(&cases[0]);
    if (!MPI_Allreduce_init)
        return;
    MPI_Allreduce_init(out, in, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &persistent);
    perf_run(&cases[1]);
    MPI_Request_free(&persistent);
}

/* ---- all ------------------------------------------------------------------------------------- */

static void own_option(int letter, const char *value)
{
    (void) letter;
    (void) value;
}

/* Before MPI begins. */
static void set_async(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        async |= !strcmp(argv[i], "-a");
    if (async)
        (void) setenv("STARLING_ASYNC_PROGRESS", "1", 1);
}

int main(int argc, char **argv)
{
    const struct perf_start start = { 2, "1048576", "a", own_option };
    const struct overlap overlaps[] = {
        { "overlap_iallreduce", "async_iallreduce", begin_allreduce, false },
        { "overlap_iallreduce_idle", "async_iallreduce_idle", begin_allreduce, true },
        { "overlap_ialltoall", "async_ialltoall", begin_alltoall, false },
        { "overlap_ialltoall_idle", "async_ialltoall_idle", begin_alltoall, true },
    };

    set_async(argc, argv);
    perf_begin(argc, argv, &start);
    out = perf_buffer(perf.max_size);
    in = perf_buffer(perf.max_size);
    for (size_t i = 0; i < sizeof overlaps / sizeof *overlaps; i++)
        overlap(&overlaps[i]);
    if (!async)
        forms();
    return perf_end();
}
