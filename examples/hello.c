/* hello.c — prints the host of each rank. Rank 0 prints all lines, so that they are in order. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, len;
    char name[MPI_MAX_PROCESSOR_NAME] = "", *names = NULL;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Get_processor_name(name, &len);

    /* Only the root of a gather needs a receive buffer. */
    if (rank == 0)
        names = malloc((size_t) size * sizeof name);
    MPI_Gather(name, sizeof name, MPI_CHAR, names, sizeof name, MPI_CHAR, 0, MPI_COMM_WORLD);
    if (rank == 0)
        for (int i = 0; i < size; i++)
            printf("hello from rank %d of %d on %s\n", i, size, &names[(size_t) i * sizeof name]);
    free(names);

    MPI_Finalize();
    return 0;
}
