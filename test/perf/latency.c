/* latency.c — half a round trip of one message between two ranks. */
#include "perf.h"

static char *buf;

static void pingpong(size_t size, int iters)
{
    int len = (int) size;

    for (int i = 0; i < iters; i++) {
        if (perf.rank == 0) {
            MPI_Send(buf, len, MPI_BYTE, 1, 1, MPI_COMM_WORLD);
            MPI_Recv(buf, len, MPI_BYTE, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else if (perf.rank == 1) {
            MPI_Recv(buf, len, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(buf, len, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
        }
    }
}

int main(int argc, char **argv)
{
    const struct perf_start start = { 2, "8,64,256,1024,4096,16384,65536,262144,1048576", NULL,
                                      NULL };
    const struct perf_case latency = { "latency", "us", pingpong, perf_us_half };

    perf_begin(argc, argv, &start);
    buf = perf_buffer(perf.max_size);
    perf_run(&latency);
    return perf_end();
}
