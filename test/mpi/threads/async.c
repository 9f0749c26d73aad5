/* async.c — with asynchronous progress messages move while the program computes, and other threads
 * need not call either. Only for Starling: with STARLING_ASYNC_PROGRESS. */
#include "threads.h"

enum { LEN = 16 << 20 };

/* Nothing but this until the last byte has changed, or the program is ended for taking too long. */
static void compute_until(const volatile char *last, char before)
{
    volatile double x = 1;

    while (*last == before)
        for (int i = 0; i < 1000; i++)
            x = x * 0.999 + 0.001;
}

int main(int argc, char **argv)
{
    int rank, size, done = 0;
    MPI_Request r[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    char *in = mpitest_memory(LEN), *out = mpitest_memory(LEN);
    char before = in[LEN - 1];
    memset(out, rank + 1, LEN);
    MPI_Irecv(in, LEN, MPI_BYTE, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &r[0]);
    MPI_Isend(out, LEN, MPI_BYTE, (rank + 1) % size, 0, MPI_COMM_WORLD, &r[1]);
    compute_until(&in[LEN - 1], before);
    while (!done)
        MPI_Test(&r[0], &done, MPI_STATUS_IGNORE);
    for (int i = 0; i < LEN; i += 4096)
        CHECK_INT(in[i], (rank + size - 1) % size + 1);
    MPI_Wait(&r[1], MPI_STATUS_IGNORE);
    free(in);
    free(out);
    MPI_Finalize();
    return 0;
}
