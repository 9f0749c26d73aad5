/* pi.c — computes pi, as MPICH's cpi does. It is compiled by MPICH's mpicc, too.
 *
 * Usage: pi [CODE]    with CODE, calls MPI_Abort in place of MPI_Finalize */
#include "mpitest.h"

enum { STEPS = 100000 };

int main(int argc, char **argv)
{
    int rank, size, steps = 0;
    double sum = 0, pi;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0)
        steps = STEPS;
    MPI_Bcast(&steps, 1, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = rank; i < steps; i += size) {
        double x = (i + 0.5) / steps;
        sum += 4 / (1 + x * x) / steps;
    }
    MPI_Allreduce(&sum, &pi, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    CHECK(pi > 3.14159265 && pi < 3.14159266);
    (void) printf("rank %d of %d: pi is %.8f\n", rank, size, pi);
    (void) fflush(stdout);
    MPI_Barrier(MPI_COMM_WORLD);
    if (argc > 1 && rank == 0)
        MPI_Abort(MPI_COMM_WORLD, atoi(argv[1]));
    if (argc > 1)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
