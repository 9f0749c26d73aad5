/* bsend_finalize.c — E06, P13: MPI_Finalize delivers what is still in the attached buffer. */
#include <time.h>
#include "buffered.h"

enum { N = 3 };
static const int lengths[N] = { 8, 40000, 400000 };

int main(int argc, char **argv)
{
    int rank, size, total = 0;

    setenv("STARLING_CHECK_LEAKS", "no", 1);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < N; i++)
        total += buffered_need(lengths[i], MPI_BYTE);
    unsigned char *room = mpitest_memory((size_t) total), *buf = mpitest_memory(400000);
    MPI_Buffer_attach(room, total);
    for (int i = 0; i < N; i++) {
        pattern_fill(buf, (size_t) lengths[i], (unsigned) (rank + i));
        MPI_Bsend(buf, lengths[i], MPI_BYTE, (rank + 1) % size, i, MPI_COMM_WORLD);
    }
    /* The next process receives after this one is in MPI_Finalize; the messages wait for it. */
    struct timespec later = { 0, rank * 30000000L };
    nanosleep(&later, NULL);
    int previous = (rank + size - 1) % size;
    for (int i = N - 1; i >= 0; i--) {
        MPI_Recv(buf, lengths[i], MPI_BYTE, previous, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        CHECK_PATTERN(buf, (size_t) lengths[i], (unsigned) (previous + i));
    }
    MPI_Finalize();
    free(room);
    free(buf);
    return 0;
}
