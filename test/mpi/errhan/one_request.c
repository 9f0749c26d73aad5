/* one_request.c — E01: the error of an operation goes to its communicator's handler once, by
 * MPI_Wait or MPI_Test. */
#include "handler.h"

static int out = 1, in;

/* A receive from this process, with a smaller buffer than the message needs. */
static void start(MPI_Comm comm, MPI_Request request[2])
{
    MPI_Irecv(&in, 0, MPI_INT, 0, 0, comm, &request[0]);
    MPI_Isend(&out, 1, MPI_INT, 0, 0, comm, &request[1]);
    MPI_Wait(&request[1], MPI_STATUS_IGNORE);
}

static void wait(MPI_Comm comm)
{
    MPI_Request request[2];

    start(comm, request);
    CHECK_INT(error_class(MPI_Wait(&request[0], MPI_STATUS_IGNORE)), MPI_ERR_TRUNCATE);
    handler_check(comm, MPI_ERR_TRUNCATE);
    handler_changes = MPI_ERR_IO;
    start(comm, request);
    CHECK_INT(MPI_Wait(&request[0], MPI_STATUS_IGNORE), MPI_ERR_IO);
    handler_changes = 0;
    handler_check(comm, MPI_ERR_TRUNCATE);
}

static void test(MPI_Comm comm)
{
    MPI_Request request[2];
    int flag = 0, err = MPI_SUCCESS;

    start(comm, request);
    while (!flag && !err)
        err = MPI_Test(&request[0], &flag, MPI_STATUS_IGNORE);
    CHECK_INT(error_class(err), MPI_ERR_TRUNCATE);
    handler_check(comm, MPI_ERR_TRUNCATE);
}

int main(int argc, char **argv)
{
    MPI_Errhandler h;
    MPI_Comm comm;

    MPI_Init(&argc, &argv);
    h = handler_make();
    MPI_Comm_dup(MPI_COMM_SELF, &comm);
    MPI_Comm_set_errhandler(comm, h);
    MPI_Errhandler_free(&h);
    wait(comm);
    test(comm);
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
