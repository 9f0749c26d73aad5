/* ring.c — passes a token around all ranks; prints the time of a hop.
 *
 * usage: mpiexec -n 4 ring [rounds] */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, rounds = 2000, left, right;
    long token = 0;
    double start, time;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc > 1)
        rounds = atoi(argv[1]);
    left = (rank + size - 1) % size;
    right = (rank + 1) % size;

    MPI_Barrier(MPI_COMM_WORLD);
    start = MPI_Wtime();
    for (int i = 0; i < rounds; i++) {
        if (rank == 0) {
            /* A single rank is its own neighbor: a blocking send to itself could hang. */
            MPI_Request request;
            long back;

            MPI_Isend(&token, 1, MPI_LONG, right, 0, MPI_COMM_WORLD, &request);
            MPI_Recv(&back, 1, MPI_LONG, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            token = back + 1;
        } else {
            MPI_Recv(&token, 1, MPI_LONG, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            token++;
            MPI_Send(&token, 1, MPI_LONG, right, 0, MPI_COMM_WORLD);
        }
    }
    time = MPI_Wtime() - start;

    if (rank == 0)
        printf("the token made %ld of %ld hops, %.2f microseconds each\n", token,
               (long) rounds * size, 1e6 * time / ((double) rounds * size));
    MPI_Finalize();
    return 0;
}
