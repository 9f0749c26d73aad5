/* outside.c — error handlers run without the library's lock: a handler waits for the message of
 * another thread and attaches another handler.
 *
 * MPICH 4.0 fails: it aborts. */
#include "../threads/threads.h"
#include "handler.h"

static int got[2];
static MPI_Comm comm;

static void waits(MPI_Comm *on, int *code, ...)
{
    (void) code;
    MPI_Recv(got, 2, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Comm_set_errhandler(*on, MPI_ERRORS_RETURN);
    handled++;
}

static void *run(void *which)
{
    int x[2] = { 7, 8 };

    if (which == NULL)
        CHECK_INT(error_class(MPI_Send(x, 1, MPI_INT, 9, 0, comm)), MPI_ERR_RANK);
    else
        MPI_Send(x, 2, MPI_INT, 0, 1, MPI_COMM_SELF);
    return NULL;
}

int main(int argc, char **argv)
{
    MPI_Errhandler h;

    threads_init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_SELF, &comm);
    for (int i = 0; i < 20; i++) {
        MPI_Comm_create_errhandler(waits, &h);
        MPI_Comm_set_errhandler(comm, h);
        MPI_Errhandler_free(&h);
        threads_run(2, run);
        CHECK_INT(handler_calls(), 1);
        CHECK(got[0] == 7 && got[1] == 8);
        CHECK_INT(error_class(MPI_Send(got, 1, MPI_INT, 9, 0, comm)), MPI_ERR_RANK);
        CHECK_INT(handler_calls(), 0);
    }
    MPI_Comm_free(&comm);
    MPI_Finalize();
    return 0;
}
