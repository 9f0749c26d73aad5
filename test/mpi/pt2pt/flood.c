/* flood.c — a receiver that is slower than its senders gets all messages, and its memory stays
 * bounded however many they send (a promise of Starling, not of the standard).
 *
 * Usage: flood [MESSAGES], of each length */
#include "../env/starling.h"
#include "memory.h"
#include "pattern.h"

enum { TAG = 1, NEVER_TAG = 2, LENGTHS = 4 };
static const int length[LENGTHS] = { 8, 1024, 16384, 65536 };
static const int count[LENGTHS] = { 200000, 20000, 4000, 1000 };

static int rank, size;

static void send(int n, int len, int tag)
{
    char *buf = mpitest_memory((size_t) len);

    for (int i = 0; i < n; i++) {
        *(int *) buf = i;
        MPI_Send(buf, len, MPI_BYTE, 0, tag, MPI_COMM_WORLD);
    }
    free(buf);
}

/* Probes for a message that never comes, which takes in all that arrive; then receives all in
 * order. */
static void receive(int n, int len, int tag)
{
    int *next = calloc((size_t) size, sizeof *next), flag;
    char *buf = mpitest_memory((size_t) len);
    long before = private_memory(), most = before;

    CHECK(next);
    for (double end = MPI_Wtime() + 0.3; MPI_Wtime() < end;) {
        MPI_Iprobe(MPI_ANY_SOURCE, NEVER_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        CHECK(!flag);
    }
    for (int i = 0; i < n * (size - 1); i++) {
        MPI_Status status;

        if (i % 1000 == 0 && private_memory() > most)
            most = private_memory();
        MPI_Recv(buf, len, MPI_BYTE, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &status);
        CHECK_INT(*(int *) buf, next[status.MPI_SOURCE]);
        next[status.MPI_SOURCE]++;
    }
    long bound = (size - 1) * (4L << 20) + device_memory(8L << 20) + counted(4L << 20);
    if (starling() && !__asan_init)
        CHECK_INT(most - before > bound ? most - before : 0, 0);
    free(buf);
    free(next);
}

static void flood(int n, int len, int tag)
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        receive(n / (size - 1), len, tag);
    else
        send(n / (size - 1), len, tag);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size > 1) {
        for (int i = 0; i < LENGTHS; i++)
            flood(argc > 1 ? atoi(argv[1]) : count[i], length[i], TAG + 2 * i);
    }
    MPI_Finalize();
    return 0;
}
