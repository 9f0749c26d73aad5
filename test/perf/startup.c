/* startup.c — the smallest program in which all ranks communicate: stopwatch.c times its launch. */
#include <mpi.h>

int main(int argc, char **argv)
{
    double one = 1, sum = 0;
    int size;

    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return (int) sum != size;
}
