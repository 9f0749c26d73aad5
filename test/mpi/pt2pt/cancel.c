/* cancel.c — P23: a receive is either cancelled, with its buffer untouched and its message left for
 * another receive, or it has received; waiting for it is local. */
#include "../request/complete.h"
#include "comms.h"
#include "pattern.h"

enum { TAG = 6, RACES = 200 };

static unsigned char *out, *in, *other;
static int rank, size, next, previous;

static void set_ranks(MPI_Comm comm)
{
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    next = (rank + 1) % size;
    previous = (rank + size - 1) % size;
}

static int cancelled(const MPI_Status *status)
{
    int flag = -1;

    CHECK_INT(MPI_Test_cancelled(status, &flag), MPI_SUCCESS);
    CHECK(flag == 0 || flag == 1);
    return flag;
}

/* A receive to which no message is sent, completed by each of the calls. */
static void no_message(MPI_Comm comm)
{
    set_ranks(comm);
    for (int call = 0; call < COMPLETE_CALLS; call++) {
        MPI_Request r[3] = { MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL };
        MPI_Status status[3];

        pattern_freshen(in, 64);
        MPI_Irecv(in, 64, MPI_BYTE, call % 2 ? MPI_ANY_SOURCE : previous,
                  call % 3 ? TAG : MPI_ANY_TAG, comm, &r[1]);
        MPI_Request before = r[1];
        CHECK_INT(MPI_Cancel(&r[1]), MPI_SUCCESS);
        CHECK(r[1] == before);
        complete((enum complete_call) call, 3, r, status);
        CHECK(r[1] == MPI_REQUEST_NULL);
        CHECK(cancelled(&status[1]));
        CHECK_FRESH(in, 64);
    }
    MPI_Request request;
    MPI_Irecv(in, 64, MPI_BYTE, MPI_ANY_SOURCE, TAG, comm, &request);
    MPI_Cancel(&request);
    CHECK_INT(MPI_Request_free(&request), MPI_SUCCESS);
    MPI_Barrier(comm);
}

/* The message for a cancelled receive goes to the next receive in the queue, or to one posted
 * later. */
static void to_another(MPI_Comm comm)
{
    set_ranks(comm);
    for (int i = 0; i < 2 * PATTERN_WAYS; i++) {
        int len = pattern_ways[i / 2], later = i % 2;
        MPI_Request first, second, send;
        MPI_Status status;

        pattern_freshen(in, (size_t) len);
        pattern_freshen(other, (size_t) len);
        MPI_Irecv(in, len, MPI_BYTE, MPI_ANY_SOURCE, TAG, comm, &first);
        if (!later)
            MPI_Irecv(other, len, MPI_BYTE, previous, MPI_ANY_TAG, comm, &second);
        MPI_Cancel(&first);
        MPI_Wait(&first, &status);
        CHECK(cancelled(&status));
        MPI_Barrier(comm);
        pattern_fill(out, (size_t) len, (unsigned) rank);
        MPI_Isend(out, len, MPI_BYTE, next, TAG, comm, &send);
        if (later)
            MPI_Irecv(other, len, MPI_BYTE, previous, TAG, comm, &second);
        MPI_Wait(&second, &status);
        CHECK(!cancelled(&status));
        CHECK_INT(status.MPI_SOURCE, previous);
        CHECK_PATTERN(other, (size_t) len, (unsigned) previous);
        CHECK_FRESH(in, (size_t) len);
        MPI_Wait(&send, MPI_STATUS_IGNORE);
        MPI_Barrier(comm);
    }
}

/* A receive that is complete is not cancelled. */
static void too_late(MPI_Comm comm)
{
    set_ranks(comm);
    int got = -1, flag = 0, count;
    MPI_Request receive, send;
    MPI_Status status;

    MPI_Irecv(&got, 1, MPI_INT, previous, TAG, comm, &receive);
    MPI_Isend(&rank, 1, MPI_INT, next, TAG, comm, &send);
    while (!flag)
        MPI_Request_get_status(receive, &flag, MPI_STATUS_IGNORE);
    CHECK_INT(MPI_Cancel(&receive), MPI_SUCCESS);
    MPI_Wait(&receive, &status);
    CHECK(!cancelled(&status));
    CHECK_INT(got, previous);
    CHECK_INT(status.MPI_SOURCE, previous);
    MPI_Get_count(&status, MPI_INT, &count);
    CHECK_INT(count, 1);
    MPI_Wait(&send, MPI_STATUS_IGNORE);
}

static void linger(int turns)
{
    for (int i = 0; i < turns; i++) {
        int flag;

        MPI_Iprobe(MPI_ANY_SOURCE, TAG + 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    }
}

/* The cancel and the message arrive in any order: the message is received exactly once. */
static void races(MPI_Comm comm)
{
    set_ranks(comm);
    for (int i = 0; i < RACES; i++) {
        int len = pattern_ways[i % (PATTERN_WAYS - 1)];
        unsigned seed = (unsigned) (previous + i);
        MPI_Request receive, send;
        MPI_Status status;

        pattern_freshen(in, (size_t) len);
        pattern_fill(out, (size_t) len, (unsigned) (rank + i));
        MPI_Irecv(in, len, MPI_BYTE, i % 2 ? previous : MPI_ANY_SOURCE, TAG, comm, &receive);
        linger(i * 7 % 5);
        MPI_Isend(out, len, MPI_BYTE, next, TAG, comm, &send);
        linger(i * 11 % 23);
        MPI_Cancel(&receive);
        MPI_Wait(&receive, &status);
        if (cancelled(&status)) {
            CHECK_FRESH(in, (size_t) len);
            MPI_Recv(in, len, MPI_BYTE, previous, TAG, comm, &status);
        }
        CHECK_INT(status.MPI_TAG, TAG);
        CHECK_PATTERN(in, (size_t) len, seed);
        MPI_Wait(&send, MPI_STATUS_IGNORE);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    out = mpitest_memory(PATTERN_LONGEST_WAY);
    in = mpitest_memory(PATTERN_LONGEST_WAY);
    other = mpitest_memory(PATTERN_LONGEST_WAY);
    comms_each(no_message);
    comms_each(to_another);
    comms_each(too_late);
    races(MPI_COMM_WORLD);
    free(out);
    free(in);
    free(other);
    MPI_Finalize();
    return 0;
}
