/* outside.c — E05: a call before MPI_Init, or after MPI_Finalize with an argument, ends the process
 * with a text that names its rank, host and call. */
#include "mpitest.h"

int main(int argc, char **argv)
{
    int size;

    if (argc > 1) {
        MPI_Init(&argc, &argv);
        MPI_Finalize();
    }
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    return 0;
}
