/* late.c — E01: the error of an operation goes to its communicator's handler, also when the program
 * has freed the handler and the communicator before it waits.
 *
 * MPICH 4.0 fails: it does not call it then. */
#include "handler.h"

int main(int argc, char **argv)
{
    int out = 1, in;
    MPI_Request request[2];
    MPI_Errhandler h;
    MPI_Comm comm;

    MPI_Init(&argc, &argv);
    for (int i = 0; i < 100; i++) {
        h = handler_make();
        MPI_Comm_dup(MPI_COMM_SELF, &comm);
        MPI_Comm_set_errhandler(comm, h);
        MPI_Errhandler_free(&h);
        MPI_Irecv(&in, 0, MPI_INT, 0, 0, comm, &request[0]);
        MPI_Isend(&out, 1, MPI_INT, 0, 0, comm, &request[1]);
        MPI_Comm_free(&comm);
        CHECK_INT(MPI_Wait(&request[1], MPI_STATUS_IGNORE), MPI_SUCCESS);
        CHECK_INT(error_class(MPI_Wait(&request[0], MPI_STATUS_IGNORE)), MPI_ERR_TRUNCATE);
        CHECK_INT(handler_calls(), 1);
        CHECK_INT(handler_class, MPI_ERR_TRUNCATE);
    }
    MPI_Finalize();
    return 0;
}
