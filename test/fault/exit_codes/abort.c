/* abort.c — E07: MPI_Abort ends all processes, whatever they wait for, and passes its code to the
 * launcher: run as a program whose exit code must be 42. argv[1]: what the other processes do
 * meanwhile, or "alone": MPI_COMM_SELF is aborted, which ends the others as well. The output of the
 * process that aborts is not lost. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "mpitest.h"

int main(int argc, char **argv)
{
    int rank, size, x;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const char *way = argc > 1 ? argv[1] : "wait";
    printf("printed before\n"); /* into a pipe, and so not written yet */
    if (rank == size - 1)
        MPI_Abort(strcmp(way, "alone") == 0 ? MPI_COMM_SELF : MPI_COMM_WORLD, 42);
    if (strcmp(way, "wait") == 0)
        MPI_Recv(&x, 1, MPI_INT, size - 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (strcmp(way, "finalize") == 0)
        MPI_Finalize();
    for (;;) /* or outside MPI */
        pause();
}
