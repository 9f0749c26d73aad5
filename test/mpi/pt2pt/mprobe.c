/* mprobe.c — P22: a matched probe takes its message away from all other probes and receives, and
 * a matched receive gets exactly that one. P12: only that receive ends a synchronous send. P11. */
#include "comms.h"
#include "pattern.h"

enum { TAG = 4 };

static unsigned char *out, *in;
static int rank, size, next, previous;

static void find(int blocking, int source, int tag, MPI_Comm comm, MPI_Message *message,
                 MPI_Status *status)
{
    int flag = 0;

    *message = MPI_MESSAGE_NULL;
    if (blocking)
        CHECK_INT(MPI_Mprobe(source, tag, comm, message, status), MPI_SUCCESS);
    while (!blocking && !flag)
        CHECK_INT(MPI_Improbe(source, tag, comm, &flag, message, status), MPI_SUCCESS);
    CHECK(*message != MPI_MESSAGE_NULL && *message != MPI_MESSAGE_NO_PROC);
}

static void take(int blocking, int len, MPI_Message *message, MPI_Status *status)
{
    MPI_Request request;

    if (blocking) {
        CHECK_INT(MPI_Mrecv(in, len, MPI_BYTE, message, status), MPI_SUCCESS);
        CHECK(*message == MPI_MESSAGE_NULL);
        return;
    }
    CHECK_INT(MPI_Imrecv(in, len, MPI_BYTE, message, &request), MPI_SUCCESS);
    CHECK(*message == MPI_MESSAGE_NULL);
    CHECK_INT(MPI_Wait(&request, status), MPI_SUCCESS);
}

static void check_status(const MPI_Status *status, int from, int tag, int len)
{
    int count = -1;

    CHECK_INT(status->MPI_SOURCE, from);
    CHECK_INT(status->MPI_TAG, tag);
    MPI_Get_count(status, MPI_BYTE, &count);
    CHECK_INT(count, len);
}

static void set_ranks(MPI_Comm comm)
{
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    next = (rank + 1) % size;
    previous = (rank + size - 1) % size;
}

/* All lengths, blocking and not, by source and tag and by wildcards. */
static void all_lengths(MPI_Comm comm)
{
    set_ranks(comm);
    for (int i = 0; i < PATTERN_SIZES - 3; i++) {
        int len = pattern_sizes[i], wild = i % 3;
        MPI_Message message;
        MPI_Request send;
        MPI_Status status;

        pattern_fill(out, (size_t) len, (unsigned) (rank + i));
        MPI_Isend(out, len, MPI_BYTE, next, i, comm, &send);
        find(i % 2, wild ? MPI_ANY_SOURCE : previous, wild == 2 ? MPI_ANY_TAG : i, comm, &message,
             &status);
        check_status(&status, previous, i, len);
        take(i / 2 % 2, len, &message, &status);
        check_status(&status, previous, i, len);
        CHECK_PATTERN(in, (size_t) len, (unsigned) (previous + i));
        MPI_Wait(&send, MPI_STATUS_IGNORE);
    }
}

/* Three messages with one tag. The first two are matched, and the middle one is received last:
 * other probes and receives do not see it. */
static void hidden(MPI_Comm comm)
{
    set_ranks(comm);
    for (int way = 0; way < PATTERN_WAYS; way++) {
        int len = pattern_ways[way], flag;
        MPI_Message first, second;
        MPI_Request send[3];
        MPI_Status status;

        pattern_fill(out, (size_t) len, (unsigned) rank);
        for (int i = 0; i < 3; i++)
            MPI_Isend(out, len - i, MPI_BYTE, next, TAG, comm, &send[i]);
        find(1, previous, TAG, comm, &first, &status);
        check_status(&status, previous, TAG, len);
        find(0, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &second, &status);
        check_status(&status, previous, TAG, len - 1);
        MPI_Recv(in, len, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status);
        check_status(&status, previous, TAG, len - 2);
        for (int i = 0; i < 20; i++) {
            MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &flag, &status);
            CHECK(!flag);
        }
        take(0, len, &second, &status);
        check_status(&status, previous, TAG, len - 1);
        take(1, len, &first, &status);
        check_status(&status, previous, TAG, len);
        CHECK_PATTERN(in, (size_t) len, (unsigned) previous);
        MPI_Waitall(3, send, MPI_STATUSES_IGNORE);
        MPI_Barrier(comm);
    }
}

/* A posted wildcard receive gets the message after the matched one. */
static void before_a_posted_one(MPI_Comm comm)
{
    set_ranks(comm);
    MPI_Message held;
    MPI_Request r[3];
    MPI_Status status[3];
    int a = 1, b = 2, got_a = 0, got_b = 0;

    MPI_Isend(&a, 1, MPI_INT, next, TAG, comm, &r[0]);
    find(1, MPI_ANY_SOURCE, TAG, comm, &held, &status[0]);
    MPI_Irecv(&got_b, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &r[1]);
    MPI_Send(&b, 1, MPI_INT, next, TAG + 1, comm);
    MPI_Wait(&r[1], &status[1]);
    CHECK_INT(got_b, 2);
    CHECK_INT(status[1].MPI_TAG, TAG + 1);
    MPI_Imrecv(&got_a, 1, MPI_INT, &held, &r[1]);
    r[2] = MPI_REQUEST_NULL;
    MPI_Waitall(3, r, status);
    CHECK_INT(got_a, 1);
    CHECK_INT(status[1].MPI_TAG, TAG);
}

/* P12: a matched message is not yet received. */
static void synchronous(MPI_Comm comm)
{
    set_ranks(comm);
    for (int way = 0; way < PATTERN_WAYS; way++) {
        int len = pattern_ways[way], flag;
        MPI_Message message;
        MPI_Request send;
        MPI_Status status;

        pattern_fill(out, (size_t) len, (unsigned) rank);
        MPI_Issend(out, len, MPI_BYTE, next, TAG, comm, &send);
        find(way % 2, previous, TAG, comm, &message, &status);
        MPI_Barrier(comm);
        for (int i = 0; i < 200; i++) {
            MPI_Test(&send, &flag, MPI_STATUS_IGNORE);
            CHECK(!flag);
        }
        MPI_Barrier(comm);
        take(way / 2 % 2, len, &message, &status);
        CHECK_PATTERN(in, (size_t) len, (unsigned) previous);
        MPI_Wait(&send, MPI_STATUS_IGNORE);
    }
}

/* P11: a message from MPI_PROC_NULL, received or not. */
static void of_proc_null(MPI_Comm comm)
{
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Request request;
    MPI_Status status;
    int flag = 0;

    pattern_freshen(in, 16);
    CHECK_INT(MPI_Improbe(MPI_PROC_NULL, TAG, comm, &flag, &message, &status), MPI_SUCCESS);
    CHECK(flag);
    CHECK(message == MPI_MESSAGE_NO_PROC);
    check_status(&status, MPI_PROC_NULL, MPI_ANY_TAG, 0);
    CHECK_INT(MPI_Mrecv(in, 16, MPI_BYTE, &message, &status), MPI_SUCCESS);
    CHECK(message == MPI_MESSAGE_NULL);
    check_status(&status, MPI_PROC_NULL, MPI_ANY_TAG, 0);
    CHECK_INT(MPI_Mprobe(MPI_PROC_NULL, MPI_ANY_TAG, comm, &message, &status), MPI_SUCCESS);
    CHECK(message == MPI_MESSAGE_NO_PROC);
    check_status(&status, MPI_PROC_NULL, MPI_ANY_TAG, 0);
    CHECK_INT(MPI_Imrecv(in, 16, MPI_BYTE, &message, &request), MPI_SUCCESS);
    CHECK(message == MPI_MESSAGE_NULL);
    CHECK_INT(MPI_Wait(&request, &status), MPI_SUCCESS);
    check_status(&status, MPI_PROC_NULL, MPI_ANY_TAG, 0);
    CHECK_FRESH(in, 16);
}

/* No message is there: flag is false. */
static void nothing(MPI_Comm comm)
{
    MPI_Message message;
    int flag = 1;

    CHECK_INT(MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &flag, &message, MPI_STATUS_IGNORE),
              MPI_SUCCESS);
    CHECK(!flag);
    MPI_Barrier(comm);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    out = mpitest_memory(PATTERN_MAX);
    in = mpitest_memory(PATTERN_MAX);
    comms_each(all_lengths);
    comms_each(hidden);
    comms_each(before_a_posted_one);
    comms_each(synchronous);
    comms_each(of_proc_null);
    comms_each(nothing);
    free(out);
    free(in);
    MPI_Finalize();
    return 0;
}
