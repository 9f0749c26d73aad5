/* stream.c — windows of messages. Each message has memory of its own, as MPI demands of receives.
 * So the window is smaller for large messages: otherwise it would measure the memory, not MPI. */
#include "perf.h"
#include "stream.h"

enum { WINDOW = 64, LEAST = 4, BYTES = 4 << 20 };

static char *out, *in;
static int partner = MPI_PROC_NULL;

int stream_window(size_t size)
{
    size_t fits = size ? BYTES / size : WINDOW;

    return fits > WINDOW ? WINDOW : fits < LEAST ? LEAST : (int) fits;
}

int stream_pairs(void) { return perf.size / 2; }

void stream_open(void)
{
    size_t most = 0;
    int half = stream_pairs();

    for (int i = 0; i < perf.nsizes; i++) {
        size_t bytes = perf.sizes[i] * (size_t) stream_window(perf.sizes[i]);
        most = bytes > most ? bytes : most;
    }
    out = perf_buffer(most);
    in = perf_buffer(most);
    if (perf.rank < 2 * half)
        partner = perf.rank < half ? perf.rank + half : perf.rank - half;
}

void stream_one_way(size_t size, int iters)
{
    int window = stream_window(size), len = (int) size;
    MPI_Request r[WINDOW];

    if (partner == MPI_PROC_NULL)
        return;
    for (int i = 0; i < iters; i++) {
        if (perf.rank < partner) {
            for (int w = 0; w < window; w++)
                MPI_Isend(out + (size_t) w * size, len, MPI_BYTE, partner, 1, MPI_COMM_WORLD,
                          &r[w]);
            MPI_Waitall(window, r, MPI_STATUSES_IGNORE);
            MPI_Recv(NULL, 0, MPI_BYTE, partner, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            for (int w = 0; w < window; w++)
                MPI_Irecv(in + (size_t) w * size, len, MPI_BYTE, partner, 1, MPI_COMM_WORLD, &r[w]);
            MPI_Waitall(window, r, MPI_STATUSES_IGNORE);
            MPI_Send(NULL, 0, MPI_BYTE, partner, 2, MPI_COMM_WORLD);
        }
    }
}

void stream_both_ways(size_t size, int iters)
{
    int window = stream_window(size), len = (int) size;
    MPI_Request r[2 * WINDOW];

    if (partner == MPI_PROC_NULL)
        return;
    for (int i = 0; i < iters; i++) {
        for (int w = 0; w < window; w++)
            MPI_Irecv(in + (size_t) w * size, len, MPI_BYTE, partner, 1, MPI_COMM_WORLD, &r[w]);
        for (int w = 0; w < window; w++)
            MPI_Isend(out + (size_t) w * size, len, MPI_BYTE, partner, 1, MPI_COMM_WORLD,
                      &r[window + w]);
        MPI_Waitall(2 * window, r, MPI_STATUSES_IGNORE);
    }
}

double stream_mb_one_way(size_t size, int iters, double seconds)
{
    return (double) size * stream_window(size) * stream_pairs() * iters / seconds * 1e-6;
}

double stream_mb_both_ways(size_t size, int iters, double seconds)
{
    return 2 * stream_mb_one_way(size, iters, seconds);
}
