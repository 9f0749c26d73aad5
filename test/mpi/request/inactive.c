/* inactive.c — P24, P14, P16: inactive persistent requests complete at once with the empty status,
 * are not counted, and keep their handles; freeing, cancelling and starting them again. */
#include "complete.h"

enum { N = 6 };

static int rank, size, next, previous;

/* All inactive or null, never started: each call returns at once. */
static void never_started(void)
{
    MPI_Request r[N], before[N];
    MPI_Status status[N];
    int buf[N] = { 0 };

    for (int i = 0; i < N; i++)
        MPI_Send_init(&buf[i], 1, MPI_INT, next, i, MPI_COMM_WORLD, &r[i]);
    MPI_Request_free(&r[3]);
    memcpy(before, r, sizeof r);
    for (int i = 0; i < COMPLETE_CALLS; i++) {
        enum complete_call call = (enum complete_call) i;

        memset(status, 0x77, sizeof status);
        CHECK_INT(complete(call, N, r, status), complete_gives_all(call) ? N : 0);
        for (int k = 0; complete_gives_all(call) && k < N; k++)
            complete_check_empty(&status[k]);
        CHECK(!memcmp(before, r, sizeof r));
    }
    int index = 5;
    memset(status, 0x77, sizeof status);
    MPI_Waitany(N, r, &index, &status[0]);
    CHECK_INT(index, MPI_UNDEFINED);
    complete_check_empty(&status[0]);
    for (int i = 0; i < N; i++)
        if (i != 3)
            MPI_Request_free(&r[i]);
}

/* Of an array with one active request any and some report that request only. */
static void one_active(void)
{
    MPI_Request r[N], send;
    MPI_Status status[N];
    int buf[N];

    for (int i = 0; i < N; i++)
        MPI_Recv_init(&buf[i], 1, MPI_INT, previous, i, MPI_COMM_WORLD, &r[i]);
    for (int i = 0; i < 3 * COMPLETE_CALLS; i++) {
        enum complete_call call = (enum complete_call)(i % COMPLETE_CALLS);
        int active = i * 5 % N;

        buf[active] = -1;
        MPI_Start(&r[active]);
        MPI_Isend(&i, 1, MPI_INT, next, active, MPI_COMM_WORLD, &send);
        CHECK_INT(complete(call, N, r, status), complete_gives_all(call) ? N : 1);
        CHECK_INT(buf[active], i);
        CHECK_INT(status[active].MPI_TAG, active);
        for (int k = 0; k < N; k++) {
            CHECK(r[k] != MPI_REQUEST_NULL);
            if (complete_gives_all(call) && k != active)
                complete_check_empty(&status[k]);
        }
        MPI_Wait(&send, MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < N; i++)
        MPI_Request_free(&r[i]);
}

/* A send that is freed while it is active still arrives (P15). */
static void freed_while_active(void)
{
    MPI_Request send;
    int out = rank, in = -1;

    MPI_Ssend_init(&out, 1, MPI_INT, next, 7, MPI_COMM_WORLD, &send);
    MPI_Start(&send);
    MPI_Request_free(&send);
    CHECK(send == MPI_REQUEST_NULL);
    MPI_Recv(&in, 1, MPI_INT, previous, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK_INT(in, previous);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* P23: a cancelled receive is inactive after its wait, and receives when it is started again. */
static void cancelled_and_restarted(void)
{
    MPI_Request receive, send;
    MPI_Status status;
    int in, flag;

    MPI_Recv_init(&in, 1, MPI_INT, MPI_ANY_SOURCE, 8, MPI_COMM_WORLD, &receive);
    for (int i = 0; i < 5; i++) {
        in = -1;
        MPI_Start(&receive);
        MPI_Cancel(&receive);
        MPI_Wait(&receive, &status);
        MPI_Test_cancelled(&status, &flag);
        CHECK(flag);
        CHECK(receive != MPI_REQUEST_NULL);
        CHECK_INT(in, -1);
        MPI_Wait(&receive, &status);
        complete_check_empty(&status);
        MPI_Barrier(MPI_COMM_WORLD); /* before any message that could have matched it */
        MPI_Start(&receive);
        MPI_Isend(&i, 1, MPI_INT, next, 8, MPI_COMM_WORLD, &send);
        MPI_Wait(&receive, &status);
        MPI_Test_cancelled(&status, &flag);
        CHECK(!flag);
        CHECK_INT(in, i);
        MPI_Wait(&send, MPI_STATUS_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Request_free(&receive);
}

/* A synchronous send that is not received is not complete, time after time (P12). */
static void synchronous(void)
{
    MPI_Request send;
    int out = rank, in, flag;

    MPI_Ssend_init(&out, 1, MPI_INT, next, 9, MPI_COMM_WORLD, &send);
    for (int i = 0; i < 3; i++) {
        MPI_Start(&send);
        for (int k = 0; k < 200; k++) {
            MPI_Test(&send, &flag, MPI_STATUS_IGNORE);
            CHECK(!flag);
        }
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Recv(&in, 1, MPI_INT, previous, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        CHECK_INT(in, previous);
        MPI_Wait(&send, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&send);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    next = (rank + 1) % size;
    previous = (rank + size - 1) % size;
    never_started();
    one_active();
    freed_while_active();
    cancelled_and_restarted();
    synchronous();
    MPI_Finalize();
    return 0;
}
