/* last.c — MPI_Finalize returns in no process before all have called it. */
#include <stdio.h>
#include <time.h>
#include <mpi.h>

enum { LATE_MS = 300 };

static double now(void)
{
    struct timespec t;

    (void) clock_gettime(CLOCK_MONOTONIC, &t);
    return (double) t.tv_sec + (double) t.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
    struct timespec left = { 0, LATE_MS * 1000000L };
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    double before = now();
    MPI_Barrier(MPI_COMM_WORLD);
    while (rank == size - 1 && nanosleep(&left, &left)) /* ended by a signal */
        continue;
    MPI_Finalize();
    double took = now() - before;
    if (took >= LATE_MS / 1e3)
        return 0;
    (void) fprintf(stderr, "rank %d: MPI_Finalize returned after %.3f s\n", rank, took);
    return 1;
}
