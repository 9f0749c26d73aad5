/* flood.c — a receiver that is slower than its senders gets everything, and its memory stays
 * bounded however much they send (a promise of Starling, not of the standard). */
#include <stdio.h>
#include <unistd.h>
#include "../env/starling.h"
#include "pattern.h"

enum { SMALL = 200000, MEDIUM = 1000, MEDIUM_LEN = 65536 };
enum { SMALL_TAG = 1, MEDIUM_TAG = 2, NEVER_TAG = 3 };

/* The address sanitizer, where it is: it keeps freed memory, so that nothing can be measured. */
void __asan_init(void) __attribute__((weak));

static int rank, size;

/* Memory of this process that is not files or shared, in bytes; 0 when the system does not tell. */
static long private_memory(void)
{
    long pages, resident, shared;
    FILE *f = fopen("/proc/self/statm", "r");
    int n = f ? fscanf(f, "%ld %ld %ld", &pages, &resident, &shared) : 0;

    if (f)
        fclose(f);
    return n == 3 ? (resident - shared) * sysconf(_SC_PAGESIZE) : 0;
}

static void send(int n, int len, int tag)
{
    char *buf = mpitest_memory((size_t) len);

    for (int i = 0; i < n; i++) {
        *(int *) buf = i;
        MPI_Send(buf, len, MPI_BYTE, 0, tag, MPI_COMM_WORLD);
    }
    free(buf);
}

/* Looks for what never comes, which takes in all that does; then receives everything in order. */
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
    long bound = (size - 1) * (4L << 20) + (8L << 20);
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
        flood(SMALL, 8, SMALL_TAG);
        flood(MEDIUM, MEDIUM_LEN, MEDIUM_TAG);
    }
    MPI_Finalize();
    return 0;
}
