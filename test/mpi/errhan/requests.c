/* requests.c — E01: a call for several requests calls the handler of the communicator whose request
 * failed first, once, with the error of the request (8.3.1); the call gives MPI_ERR_IN_STATUS,
 * unless the handler has changed the code.
 *
 * MPICH 4.0 fails: only MPI_Wait and MPI_Test call it. */
#include "handler.h"

enum { N = 4 };
enum way { WAITALL, TESTALL, WAITSOME, TESTSOME, WAITANY, TESTANY, WAYS };

static int out = 1, in[N];
static MPI_Comm good, bad;
static MPI_Request request[N];
static MPI_Status status[N];

/* The receives 1 and 3 fail, in different communicators. */
static void start(void)
{
    MPI_Comm on[N] = { good, bad, MPI_COMM_SELF, good };

    for (int i = 0; i < N; i++)
        MPI_Irecv(&in[i], i % 2 ? 0 : 1, MPI_INT, 0, i, on[i], &request[i]);
    for (int i = 0; i < N; i++)
        MPI_Send(&out, 1, MPI_INT, 0, i, on[i]);
}

static int complete(enum way way)
{
    int index[N], n = 0, err;

    switch (way) {
    case WAITALL:
        return MPI_Waitall(N, request, status);
    case TESTALL:
        while (!(err = MPI_Testall(N, request, &n, status)) && !n)
            ;
        return err;
    case WAITSOME:
        return MPI_Waitsome(N, request, &n, index, status);
    case TESTSOME:
        while (!(err = MPI_Testsome(N, request, &n, index, status)) && n != MPI_UNDEFINED)
            ;
        return err;
    case WAITANY:
        while (!(err = MPI_Waitany(2, request, index, status)))
            CHECK_INT(index[0], 0);
        CHECK_INT(index[0], 1);
        return err;
    case TESTANY:
        while (!(err = MPI_Testany(2, request, index, &n, status)))
            CHECK(!n || index[0] == 0);
        CHECK_INT(index[0], 1);
        return err;
    case WAYS:
        break;
    }
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    MPI_Errhandler h;

    MPI_Init(&argc, &argv);
    h = handler_make();
    MPI_Comm_dup(MPI_COMM_SELF, &good);
    MPI_Comm_dup(MPI_COMM_SELF, &bad);
    MPI_Comm_set_errhandler(bad, h);
    for (enum way way = 0; way < WAYS; way++) {
        int class = way < WAITANY ? MPI_ERR_IN_STATUS : MPI_ERR_TRUNCATE;

        start();
        CHECK_INT(error_class(complete(way)), class);
        handler_check(bad, MPI_ERR_TRUNCATE);
        MPI_Comm_set_errhandler(good, MPI_ERRORS_RETURN);
        MPI_Waitall(N, request, MPI_STATUSES_IGNORE);
        start();
        handler_changes = MPI_ERR_IO;
        CHECK_INT(complete(way), MPI_ERR_IO);
        handler_changes = 0;
        handler_check(bad, MPI_ERR_TRUNCATE);
        MPI_Waitall(N, request, MPI_STATUSES_IGNORE);
        MPI_Comm_set_errhandler(good, MPI_ERRORS_ARE_FATAL);
        CHECK_INT(MPI_Comm_call_errhandler(bad, MPI_ERR_IN_STATUS), MPI_SUCCESS);
        handler_check(bad, MPI_ERR_IN_STATUS);
    }

    /* A call that fails with MPI_ERRORS_RETURN leaves nothing for the next handler. */
    MPI_Comm_set_errhandler(bad, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(good, MPI_ERRORS_RETURN);
    start();
    int code = complete(WAITALL);
    MPI_Comm_set_errhandler(bad, h);
    CHECK_INT(MPI_Comm_call_errhandler(bad, code), MPI_SUCCESS);
    handler_check(bad, MPI_ERR_IN_STATUS);
    MPI_Waitall(N, request, MPI_STATUSES_IGNORE);
    MPI_Errhandler_free(&h);
    MPI_Comm_free(&good);
    MPI_Comm_free(&bad);
    MPI_Finalize();
    return 0;
}
