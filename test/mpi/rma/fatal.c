/* fatal.c — R01, E01: an error of a window without an error handler of its own ends the job, also
 * when errors of its communicator return. */
#include "rma.h"

int main(int argc, char **argv)
{
    int x;

    rma_init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    struct window w = window_make(ALLOCATED, 8, 1);
    MPI_Win_fence(0, w.win);
    if (rank == 0)
        MPI_Put(&x, -7, MPI_INT, 0, 0, 1, MPI_INT, w.win);
    MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
