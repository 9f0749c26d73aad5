/* lowest.c — P18: MPI_Waitany and MPI_Testany take the lowest index of the complete requests. The
 * standard leaves the choice open; programs rely on what MPICH and Open MPI do. */
#include "mpitest.h"

enum { N = 9, ROUNDS = 20 };

static int in[N];

static int any(int tests, MPI_Request request[N], MPI_Status *status)
{
    int index = -1, flag = 1;

    if (tests)
        CHECK_INT(MPI_Testany(N, request, &index, &flag, status), MPI_SUCCESS);
    else
        CHECK_INT(MPI_Waitany(N, request, &index, status), MPI_SUCCESS);
    CHECK(flag);
    return index;
}

/* Receives of messages from this process, which are sent in another order, for each set bit. */
static void all_done(MPI_Request request[N], unsigned which)
{
    for (int i = 0; i < N; i++) {
        request[i] = MPI_REQUEST_NULL;
        if (which >> i & 1)
            MPI_Irecv(&in[i], 1, MPI_INT, 0, i, MPI_COMM_SELF, &request[i]);
    }
    for (int n = 0; n < N; n++) {
        int i = (n * 5 + 3) % N, flag = 0;
        if (which >> i & 1)
            MPI_Send(&i, 1, MPI_INT, 0, i, MPI_COMM_SELF);
        while (!flag)
            MPI_Request_get_status(request[i], &flag, MPI_STATUS_IGNORE);
    }
}

static void in_order(int tests, unsigned which)
{
    MPI_Request request[N];
    MPI_Status status;

    all_done(request, which);
    for (int i = 0; i < N; i++) {
        if (!(which >> i & 1))
            continue;
        CHECK_INT(any(tests, request, &status), i);
        CHECK_INT(status.MPI_TAG, i);
        CHECK_INT(in[i], i);
    }
    CHECK_INT(any(tests, request, &status), MPI_UNDEFINED);
}

/* The first request completes again and again; the others have to wait until it is no longer
 * started. */
static void again(int tests)
{
    MPI_Request request[N];
    MPI_Status status;

    all_done(request, (1u << N) - 1);
    for (int i = 0; i < ROUNDS; i++) {
        CHECK_INT(any(tests, request, &status), 0);
        MPI_Isend(&i, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_SELF, &request[0]);
    }
    MPI_Waitall(N, request, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    for (int tests = 0; tests < 2; tests++) {
        for (unsigned which = 1; which < 1u << N; which += 11)
            in_order(tests, which);
        again(tests);
    }
    MPI_Finalize();
    return 0;
}
