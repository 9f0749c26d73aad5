/* halo.c — one exchange with 8 partners: the 4 ranks on either side in a ring. With fewer than 9
 * ranks some are partners more than once, or are the rank itself. */
#include "perf.h"

enum { PARTNERS = 8 };

static char *out, *in;

static int partner(int k)
{
    int step = k % 2 ? k / 2 + 1 : -(k / 2 + 1);

    return ((perf.rank + step) % perf.size + perf.size) % perf.size;
}

static void exchange(size_t size, int iters)
{
    MPI_Request r[2 * PARTNERS];
    int len = (int) size;

    for (int i = 0; i < iters; i++) {
        for (int k = 0; k < PARTNERS; k++)
            MPI_Irecv(in + (size_t) k * size, len, MPI_BYTE, partner(k), 1 + k, MPI_COMM_WORLD,
                      &r[k]);
        for (int k = 0; k < PARTNERS; k++) /* data sent to the left arrive from the right */
            MPI_Isend(out + (size_t) k * size, len, MPI_BYTE, partner(k), 1 + (k ^ 1),
                      MPI_COMM_WORLD, &r[PARTNERS + k]);
        MPI_Waitall(2 * PARTNERS, r, MPI_STATUSES_IGNORE);
    }
}

int main(int argc, char **argv)
{
    const struct perf_start start = { 1, "8,1024,16384", NULL, NULL };
    const struct perf_case halo = { "halo", "us", exchange, perf_us_each };

    perf_begin(argc, argv, &start);
    out = perf_buffer(PARTNERS * perf.max_size);
    in = perf_buffer(PARTNERS * perf.max_size);
    perf_run(&halo);
    return perf_end();
}
