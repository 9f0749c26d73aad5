/* output.c — a program that prints a line and is then ended. Usage: output BEFORE END
 *
 * BEFORE: what happens to stdout before MPI_Init: nothing, printed, flushed; chosen (setvbuf),
 * larger (a buffer, and some text). END: segv, exit, _exit, abort, hang. Rank 1 does that. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char buffer[1 << 16];

static void prepare(const char *before)
{
    if (!strcmp(before, "printed") || !strcmp(before, "flushed"))
        printf("before\n");
    if (!strcmp(before, "flushed"))
        fflush(stdout);
    if (!strcmp(before, "chosen"))
        setvbuf(stdout, NULL, _IOFBF, 0);
    if (!strcmp(before, "larger")) {
        setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
        printf("before\n");
    }
}

static void end(const char *how)
{
    if (!strcmp(how, "segv"))
        *(volatile int *) NULL = 1;
    if (!strcmp(how, "abort"))
        MPI_Abort(MPI_COMM_WORLD, 2);
    if (!strcmp(how, "exit"))
        exit(1);
    if (!strcmp(how, "_exit"))
        _exit(1);
}

int main(int argc, char **argv)
{
    int rank;

    if (argc != 3)
        return 1;
    prepare(argv[1]);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    printf("rank %d: ", rank);
    putchar('0' + 1);
    putchar('\n');
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        end(argv[2]);
    MPI_Recv(&rank, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
}
