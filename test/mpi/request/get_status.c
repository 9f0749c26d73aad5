/* get_status.c — P20: MPI_Request_get_status returns the status as often as it is called, and
 * neither frees nor deactivates the request; null and inactive ones are complete and empty. */
#include "../pt2pt/pattern.h"
#include "comms.h"
#include "complete.h"

static unsigned char *out, *in;

static void check(MPI_Request request, int from, int tag, int len)
{
    MPI_Request before = request;

    for (int i = 0; i < 3; i++) {
        MPI_Status status;
        int flag = 0, count;

        memset(&status, 0x77, sizeof status);
        status.MPI_ERROR = 4711;
        while (!flag)
            CHECK_INT(MPI_Request_get_status(request, &flag, &status), MPI_SUCCESS);
        CHECK_INT(status.MPI_SOURCE, from);
        CHECK_INT(status.MPI_TAG, tag);
        MPI_Get_count(&status, MPI_BYTE, &count);
        CHECK_INT(count, len);
        MPI_Test_cancelled(&status, &flag);
        CHECK(!flag);
        CHECK_INT(status.MPI_ERROR, 4711); /* P06 */
        CHECK_INT(MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE), MPI_SUCCESS);
        CHECK(flag);
        CHECK(request == before);
    }
}

/* In a loop it makes progress, like a test; the data is there when its flag is true. */
static void receives(MPI_Comm comm)
{
    int rank, size, flag;
    MPI_Request receive, send;
    MPI_Status status;

    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    int to = (rank + 1) % size, from = (rank + size - 1) % size;
    for (int i = 0; i < PATTERN_WAYS; i++) {
        int len = pattern_ways[i];

        MPI_Irecv(in, PATTERN_LONGEST_WAY, MPI_BYTE, MPI_ANY_SOURCE, i, comm, &receive);
        for (int k = 0; k < 10; k++) {
            CHECK_INT(MPI_Request_get_status(receive, &flag, &status), MPI_SUCCESS);
            CHECK(!flag);
        }
        MPI_Barrier(comm);
        pattern_fill(out, (size_t) len, (unsigned) rank);
        MPI_Isend(out, len, MPI_BYTE, to, i, comm, &send);
        check(receive, from, i, len);
        CHECK_PATTERN(in, (size_t) len, (unsigned) from);
        for (flag = 0; !flag;)
            MPI_Request_get_status(send, &flag, MPI_STATUS_IGNORE);
        MPI_Wait(&receive, &status);
        CHECK(receive == MPI_REQUEST_NULL);
        CHECK_INT(status.MPI_SOURCE, from);
        MPI_Wait(&send, MPI_STATUS_IGNORE);
        MPI_Barrier(comm);
    }
}

static void null_and_inactive(MPI_Comm comm)
{
    int x, rank, flag = 0;
    MPI_Request request;
    MPI_Status status;

    MPI_Comm_rank(comm, &rank);
    CHECK_INT(MPI_Request_get_status(MPI_REQUEST_NULL, &flag, &status), MPI_SUCCESS);
    CHECK(flag);
    complete_check_empty(&status);
    MPI_Recv_init(&x, 1, MPI_INT, rank, 1, comm, &request);
    for (int i = 0; i < 3; i++) {
        flag = 0;
        CHECK_INT(MPI_Request_get_status(request, &flag, &status), MPI_SUCCESS);
        CHECK(flag);
        complete_check_empty(&status);
        MPI_Start(&request);
        MPI_Request_get_status(request, &flag, &status);
        CHECK(!flag);
        MPI_Send(&i, 1, MPI_INT, rank, 1, comm);
        check(request, rank, 1, sizeof x); /* still active: */
        memset(&status, 0x77, sizeof status);
        MPI_Wait(&request, &status);
        CHECK_INT(status.MPI_SOURCE, rank);
        CHECK_INT(x, i);
    }
    MPI_Request_free(&request);
}

/* A request whose status was only read may be freed; a cancelled one says so. */
static void freed_and_cancelled(MPI_Comm comm)
{
    int x = -1, rank, flag = 0;
    MPI_Request request;
    MPI_Status status;

    MPI_Comm_rank(comm, &rank);
    MPI_Irecv(&x, 1, MPI_INT, rank, 2, comm, &request);
    MPI_Send(&rank, 1, MPI_INT, rank, 2, comm);
    check(request, rank, 2, sizeof x);
    CHECK_INT(MPI_Request_free(&request), MPI_SUCCESS);
    CHECK_INT(x, rank);
    MPI_Irecv(&x, 1, MPI_INT, rank, 3, comm, &request);
    MPI_Cancel(&request);
    while (!flag)
        MPI_Request_get_status(request, &flag, &status);
    MPI_Test_cancelled(&status, &flag);
    CHECK(flag);
    CHECK(request != MPI_REQUEST_NULL);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &flag);
    CHECK(flag);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    out = mpitest_memory(PATTERN_LONGEST_WAY);
    in = mpitest_memory(PATTERN_LONGEST_WAY);
    comms_each(receives);
    comms_each(null_and_inactive);
    comms_each(freed_and_cancelled);
    free(out);
    free(in);
    MPI_Finalize();
    return 0;
}
