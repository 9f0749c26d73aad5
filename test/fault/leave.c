/* leave.c — E06, E07: how the ranks leave their job.
 *
 * Usage: leave finalize             rank 0 works on after MPI_Finalize, and then prints a line
 *        leave exit RANK CODE       a rank exits without MPI_Finalize; the others wait for it */
#include <unistd.h>
#include "mpitest.h"

enum { LATER_US = 500000 };

int main(int argc, char **argv)
{
    int rank, x;

    CHECK(argc > 1);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (strcmp(argv[1], "exit") == 0) {
        int who = atoi(argv[2]);
        if (rank == who)
            _exit(atoi(argv[3]));
        MPI_Recv(&x, 1, MPI_INT, who, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    if (rank == 0) {
        (void) usleep(LATER_US);
        (void) printf("rank 0 goes on\n");
    }
    return 0;
}
