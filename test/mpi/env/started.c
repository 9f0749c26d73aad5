/* started.c — E05, E06: every process gets the arguments of the command line, MPI_Init does not
 * change them, and rank 0 continues after MPI_Finalize and prints them. */
#include "mpitest.h"

int main(int argc, char **argv)
{
    int rank, sum, flag, bad = argc != 4 || strcmp(argv[2], "two words") != 0 || *argv[3];

    MPI_Init(&argc, &argv);
    bad |= argc != 4 || strcmp(argv[1], "one") != 0 || argv[4] != NULL;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Allreduce(&bad, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    MPI_Finalized(&flag);
    if (rank == 0)
        printf("%d wrong, finalized %d: %s, %s.\n", sum, flag, argv[1], argv[2]);
    return 0;
}
