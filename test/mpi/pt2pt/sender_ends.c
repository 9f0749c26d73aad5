/* sender_ends.c — a receive from a process that is in MPI_Finalize, and has not sent the message:
 * that is said, once. A message that the process had sent before comes first. Only for Starling; it
 * ends by a signal. */
#include <unistd.h>
#include "mpitest.h"

int main(int argc, char **argv)
{
    int rank, x = 3;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1) {
        MPI_Send(&x, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
    } else if (rank == 0) {
        alarm(15);
        MPI_Recv(&x, 1, MPI_INT, 1, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&x, 1, MPI_INT, 1, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
