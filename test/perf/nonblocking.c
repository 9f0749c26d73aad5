/* nonblocking.c — the time of nonblocking collective calls, each begun and waited for. Each call
 * has the next rank as its root; gather and the like move size bytes for each rank. */
#include "perf.h"

static char *out, *in;

static void ibcast(size_t size, int root, MPI_Request *r)
{
    MPI_Ibcast(out, (int) size, MPI_BYTE, root, MPI_COMM_WORLD, r);
}

static int doubles(size_t size) { return (int) (size / sizeof(double)); }

static void ireduce(size_t size, int root, MPI_Request *r)
{
    MPI_Ireduce(out, in, doubles(size), MPI_DOUBLE, MPI_SUM, root, MPI_COMM_WORLD, r);
}

static void iallreduce(size_t size, int root, MPI_Request *r)
{
    (void) root;
    MPI_Iallreduce(out, in, doubles(size), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, r);
}

static void igather(size_t size, int root, MPI_Request *r)
{
    MPI_Igather(out, (int) size, MPI_BYTE, in, (int) size, MPI_BYTE, root, MPI_COMM_WORLD, r);
}

static void iscatter(size_t size, int root, MPI_Request *r)
{
    MPI_Iscatter(in, (int) size, MPI_BYTE, out, (int) size, MPI_BYTE, root, MPI_COMM_WORLD, r);
}

static void iallgather(size_t size, int root, MPI_Request *r)
{
    (void) root;
    MPI_Iallgather(out, (int) size, MPI_BYTE, in, (int) size, MPI_BYTE, MPI_COMM_WORLD, r);
}

static void ialltoall(size_t size, int root, MPI_Request *r)
{
    (void) root;
    MPI_Ialltoall(out, (int) size, MPI_BYTE, in, (int) size, MPI_BYTE, MPI_COMM_WORLD, r);
}

/* One function for each operation, as perf_case takes no argument of this file. */
#define CALLS(begin)                                                                               \
    static void begin##s(size_t size, int iters)                                                   \
    {                                                                                              \
        MPI_Request r;                                                                             \
        for (int i = 0; i < iters; i++) {                                                          \
            begin(size, i % perf.size, &r);                                                        \
            MPI_Wait(&r, MPI_STATUS_IGNORE);                                                       \
        }                                                                                          \
    }

CALLS(ibcast)
CALLS(ireduce)
CALLS(iallreduce)
CALLS(igather)
CALLS(iscatter)
CALLS(iallgather)
CALLS(ialltoall)

static const struct perf_case cases[] = {
    { "ibcast", "us", ibcasts, perf_us_each },
    { "ireduce", "us", ireduces, perf_us_each },
    { "iallreduce", "us", iallreduces, perf_us_each },
    { "igather", "us", igathers, perf_us_each },
    { "iscatter", "us", iscatters, perf_us_each },
    { "iallgather", "us", iallgathers, perf_us_each },
    { "ialltoall", "us", ialltoalls, perf_us_each },
};

int main(int argc, char **argv)
{
    const struct perf_start start = { 1, "8,1024,65536,1048576", NULL, NULL };

    perf_begin(argc, argv, &start);
    out = perf_buffer(perf.max_size * (size_t) perf.size);
    in = perf_buffer(perf.max_size * (size_t) perf.size);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        perf_run(&cases[i]);
    return perf_end();
}
