/* bisection.c — bytes per second across the cut between two halves of the ranks, when each rank of
 * one half exchanges with each of the other at once. */
#include "perf.h"

static char *out, *in;
static MPI_Request *requests;

static void cross(size_t size, int iters)
{
    int half = perf.size / 2, len = (int) size, mine = perf.rank % half;
    int first = perf.rank < half ? half : 0;

    if (perf.rank >= 2 * half)
        return;
    for (int i = 0; i < iters; i++) {
        for (int k = 0; k < half; k++) {
            int other = first + (mine + k) % half;
            MPI_Irecv(in + (size_t) k * size, len, MPI_BYTE, other, 1, MPI_COMM_WORLD,
                      &requests[2 * k]);
            MPI_Isend(out + (size_t) k * size, len, MPI_BYTE, other, 1, MPI_COMM_WORLD,
                      &requests[2 * k + 1]);
        }
        MPI_Waitall(2 * half, requests, MPI_STATUSES_IGNORE);
    }
}

static double megabytes(size_t size, int iters, double seconds)
{
    double half = perf.size / 2;

    return 2 * half * half * (double) size * iters / seconds * 1e-6;
}

int main(int argc, char **argv)
{
    const struct perf_start start = { 2, "8192,65536,1048576", NULL, NULL };
    const struct perf_case bisection = { "bisection", "MB/s", cross, megabytes };

    perf_begin(argc, argv, &start);
    size_t partners = (size_t) perf.size / 2;
    out = perf_buffer(partners * perf.max_size);
    in = perf_buffer(partners * perf.max_size);
    requests = perf_buffer(2 * partners * sizeof *requests);
    perf_run(&bisection);
    return perf_end();
}
