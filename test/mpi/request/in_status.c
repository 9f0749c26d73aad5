/* in_status.c — P17, P08: when one of several operations fails, the call gives MPI_ERR_IN_STATUS
 * and each status its own error; all that completed are released, and the next call succeeds.
 *
 * Open MPI 4.1 fails with one process: see truncate.c. */
#include "../env/starling.h"

enum { N = 6, LONG = 2, NULL_AT = 4, SENTINEL = 0x1717 };
enum call { WAITALL, TESTALL, WAITSOME, TESTSOME, CALLS };

static int rank, size, next, previous;
static int in[N][4], out[4] = { 1, 2, 3, 4 };
static MPI_Request request[N], sends[N];

/* The message for receive LONG is longer than its buffer. */
static void start(void)
{
    for (int i = 0; i < N; i++) {
        request[i] = sends[i] = MPI_REQUEST_NULL;
        if (i == NULL_AT)
            continue;
        MPI_Irecv(in[i], i == LONG ? 1 : 4, MPI_INT, previous, i, MPI_COMM_WORLD, &request[i]);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < N; i++)
        if (i != NULL_AT)
            MPI_Isend(out, i == LONG ? 4 : 1, MPI_INT, next, i, MPI_COMM_WORLD, &sends[i]);
    MPI_Waitall(N, sends, MPI_STATUSES_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void check_error(int i, const MPI_Status *status, int *ended)
{
    int class = error_class(status->MPI_ERROR);

    if (class == MPI_ERR_PENDING) { /* neither failed nor complete: it stays unchanged */
        CHECK(request[i] != MPI_REQUEST_NULL);
        MPI_Wait(&request[i], MPI_STATUS_IGNORE);
        class = MPI_SUCCESS;
    }
    CHECK(request[i] == MPI_REQUEST_NULL);
    CHECK_INT(class, i == LONG ? MPI_ERR_TRUNCATE : MPI_SUCCESS);
    if (i == LONG)
        CHECK_INT(status->MPI_TAG, LONG);
    (*ended)++;
}

static int complete(enum call call, int *n, int indices[], MPI_Status *status)
{
    int flag = 0, err = MPI_SUCCESS;

    switch (call) {
    case WAITALL:
        return MPI_Waitall(N, request, status);
    case TESTALL:
        while (!flag && !err)
            err = MPI_Testall(N, request, &flag, status);
        return err;
    case WAITSOME:
        return MPI_Waitsome(N, request, n, indices, status);
    case TESTSOME:
        return MPI_Testsome(N, request, n, indices, status);
    case CALLS:
        break;
    }
    return MPI_ERR_OTHER;
}

static void of_all(enum call call)
{
    MPI_Status status[N];
    int ended = 0;

    start();
    for (int i = 0; i < N; i++)
        status[i].MPI_ERROR = SENTINEL;
    CHECK_INT(error_class(complete(call, NULL, NULL, status)), MPI_ERR_IN_STATUS);
    for (int i = 0; i < N; i++)
        check_error(i, &status[i], &ended);
    CHECK_INT(ended, N);
}

static void of_some(enum call call)
{
    int ended = 0, failed = 0;

    start();
    while (ended < N - 1) {
        MPI_Status status[N];
        int indices[N], n = -1, here = 0;
        int err = complete(call, &n, indices, status);

        CHECK(n >= 0 && n <= N);
        for (int i = 0; i < n; i++)
            here |= indices[i] == LONG;
        failed += here;
        CHECK_INT(error_class(err), here ? MPI_ERR_IN_STATUS : MPI_SUCCESS);
        for (int i = 0; i < n; i++) {
            if (!here)
                status[i].MPI_ERROR = MPI_SUCCESS;
            check_error(indices[i], &status[i], &ended);
        }
    }
    CHECK_INT(failed, 1);
}

/* The call also fails with MPI_STATUSES_IGNORE. */
static void ignoring(enum call call)
{
    int indices[N], n, err;

    start();
    do
        err = complete(call, &n, indices, MPI_STATUSES_IGNORE);
    while (err == MPI_SUCCESS && (call == WAITSOME || call == TESTSOME) && n != MPI_UNDEFINED);
    CHECK_INT(error_class(err), MPI_ERR_IN_STATUS);
    MPI_Waitall(N, request, MPI_STATUSES_IGNORE);
}

/* Calls for one request give its error itself. */
static void of_one(void)
{
    MPI_Status status = { .MPI_ERROR = SENTINEL };
    int index = -1;

    for (int any = 0; any < 2; any++) {
        start();
        if (any)
            CHECK_INT(error_class(MPI_Waitany(1, &request[LONG], &index, &status)),
                      MPI_ERR_TRUNCATE);
        else
            CHECK_INT(error_class(MPI_Wait(&request[LONG], &status)), MPI_ERR_TRUNCATE);
        CHECK_INT(status.MPI_TAG, LONG);
        CHECK(request[LONG] == MPI_REQUEST_NULL);
        CHECK_INT(MPI_Waitall(N, request, MPI_STATUSES_IGNORE), MPI_SUCCESS);
    }
    CHECK_INT(index, 0);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    next = (rank + 1) % size;
    previous = (rank + size - 1) % size;
    for (enum call call = 0; call < CALLS; call++) {
        if (call == WAITALL || call == TESTALL)
            of_all(call);
        else
            of_some(call);
        ignoring(call);
    }
    of_one();
    MPI_Finalize();
    return 0;
}
