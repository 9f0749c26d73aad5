/* collectives.c — the time of collective calls, one after the other. Each call has the next rank as
 * its root, so that no rank runs ahead of the others; gather and the like move size bytes for each
 * rank. */
#include "perf.h"

enum { MOST = 256 }; /* ranks */

static char *out, *in;

static void barrier(size_t size, int iters)
{
    (void) size;
    for (int i = 0; i < iters; i++)
        MPI_Barrier(MPI_COMM_WORLD);
}

static void bcast(size_t size, int iters)
{
    for (int i = 0; i < iters; i++)
        MPI_Bcast(out, (int) size, MPI_BYTE, i % perf.size, MPI_COMM_WORLD);
}

static int doubles(size_t size) { return (int) (size / sizeof(double)); }

static void reduce(size_t size, int iters)
{
    for (int i = 0; i < iters; i++)
        MPI_Reduce(out, in, doubles(size), MPI_DOUBLE, MPI_SUM, i % perf.size, MPI_COMM_WORLD);
}

static void allreduce(size_t size, int iters)
{
    for (int i = 0; i < iters; i++)
        MPI_Allreduce(out, in, doubles(size), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void gather(size_t size, int iters)
{
    for (int i = 0; i < iters; i++)
        MPI_Gather(out, (int) size, MPI_BYTE, in, (int) size, MPI_BYTE, i % perf.size,
                   MPI_COMM_WORLD);
}

static void scatter(size_t size, int iters)
{
    for (int i = 0; i < iters; i++)
        MPI_Scatter(in, (int) size, MPI_BYTE, out, (int) size, MPI_BYTE, i % perf.size,
                    MPI_COMM_WORLD);
}

static void allgather(size_t size, int iters)
{
    for (int i = 0; i < iters; i++)
        MPI_Allgather(out, (int) size, MPI_BYTE, in, (int) size, MPI_BYTE, MPI_COMM_WORLD);
}

static void alltoall(size_t size, int iters)
{
    for (int i = 0; i < iters; i++)
        MPI_Alltoall(out, (int) size, MPI_BYTE, in, (int) size, MPI_BYTE, MPI_COMM_WORLD);
}

/* The same data as in alltoall, to show the cost of the other form. */
static void alltoallv(size_t size, int iters)
{
    static int counts[MOST], at[MOST];

    for (int i = 0; i < perf.size; i++) {
        counts[i] = (int) size;
        at[i] = i * (int) size;
    }
    for (int i = 0; i < iters; i++)
        MPI_Alltoallv(out, counts, at, MPI_BYTE, in, counts, at, MPI_BYTE, MPI_COMM_WORLD);
}

static const struct perf_case cases[] = {
    { "bcast", "us", bcast, perf_us_each },         { "reduce", "us", reduce, perf_us_each },
    { "allreduce", "us", allreduce, perf_us_each }, { "gather", "us", gather, perf_us_each },
    { "scatter", "us", scatter, perf_us_each },     { "allgather", "us", allgather, perf_us_each },
    { "alltoall", "us", alltoall, perf_us_each },   { "alltoallv", "us", alltoallv, perf_us_each },
};

int main(int argc, char **argv)
{
    const struct perf_start start = { 1, "8,1024,65536", NULL, NULL };
    const struct perf_case alone = { "barrier", "us", barrier, perf_us_each };

    perf_begin(argc, argv, &start);
    if (perf.size > MOST)
        perf_fail("so many ranks are not provided for");
    out = perf_buffer(perf.max_size * (size_t) perf.size);
    in = perf_buffer(perf.max_size * (size_t) perf.size);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        perf_run(&cases[i]);
    perf.nsizes = 1;
    perf.sizes[0] = 0;
    perf_run(&alone);
    return perf_end();
}
