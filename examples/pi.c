/* pi.c — pi as the area under 4 / (1 + x^2) from 0 to 1. The ranks divide its strips.
 *
 * usage: mpiexec -n 4 pi [strips] */
#include <mpi.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    const double exact = 3.14159265358979323846;
    int rank, size;
    long strips = 10000000;
    double part = 0, pi = 0, start, width;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    start = MPI_Wtime();

    /* Rank 0 broadcasts the number of strips to the other ranks. */
    if (rank == 0 && argc > 1)
        strips = atol(argv[1]);
    MPI_Bcast(&strips, 1, MPI_LONG, 0, MPI_COMM_WORLD);
    width = 1.0 / (double) strips;

    /* Each rank has every size-th strip. The height of a strip is that of its middle. */
    for (long i = rank; i < strips; i += size) {
        double x = ((double) i + 0.5) * width;

        part += 4.0 / (1.0 + x * x);
    }
    part *= width;

    MPI_Reduce(&part, &pi, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("pi is %.12f, error %.1e, by %d ranks in %.2f s\n", pi, fabs(pi - exact), size,
               MPI_Wtime() - start);

    MPI_Finalize();
    return 0;
}
