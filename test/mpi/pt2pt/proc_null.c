/* proc_null.c — P11: MPI_PROC_NULL takes every message and gives an empty one at once.
 *
 * MPICH 4.0 fails: it completes an MPI_Irecv with source 0 and tag 0. */
#include "pattern.h"

static unsigned char buf[32];

static void check(const MPI_Status *status)
{
    int count = -1;

    CHECK_INT(status->MPI_SOURCE, MPI_PROC_NULL);
    CHECK_INT(status->MPI_TAG, MPI_ANY_TAG);
    MPI_Get_count(status, MPI_INT, &count);
    CHECK_INT(count, 0);
    CHECK_FRESH(buf, sizeof buf);
}

static void sends(void)
{
    typedef int call(const void *, int, MPI_Datatype, int, int, MPI_Comm);
    typedef int start(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
    call *const calls[] = { MPI_Send, MPI_Ssend, MPI_Rsend };
    start *const starts[] = { MPI_Isend, MPI_Issend, MPI_Irsend };

    for (int i = 0; i < 3; i++) {
        MPI_Request request = MPI_REQUEST_NULL;
        int flag = 0;

        CHECK_INT(calls[i](buf, 8, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD), MPI_SUCCESS);
        CHECK_INT(starts[i](buf, 8, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &request),
                  MPI_SUCCESS);
        MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
        CHECK(flag);
        CHECK(request == MPI_REQUEST_NULL);
    }
}

static void receives(int tag)
{
    MPI_Request request;
    MPI_Status status;
    int flag = 0;

    MPI_Recv(buf, 8, MPI_INT, MPI_PROC_NULL, tag, MPI_COMM_WORLD, &status);
    check(&status);
    MPI_Irecv(buf, 8, MPI_INT, MPI_PROC_NULL, tag, MPI_COMM_WORLD, &request);
    MPI_Test(&request, &flag, &status);
    CHECK(flag);
    check(&status);
    MPI_Probe(MPI_PROC_NULL, tag, MPI_COMM_WORLD, &status);
    check(&status);
    flag = 0;
    MPI_Iprobe(MPI_PROC_NULL, tag, MPI_COMM_WORLD, &flag, &status);
    CHECK(flag);
    check(&status);
    MPI_Sendrecv(&flag, 1, MPI_INT, MPI_PROC_NULL, 1, buf, 8, MPI_INT, MPI_PROC_NULL, tag,
                 MPI_COMM_WORLD, &status);
    check(&status);
}

/* A shift along a chain with two open ends. */
static void chain(int rank, int size)
{
    int left = rank > 0 ? rank - 1 : MPI_PROC_NULL, got = -7;
    int right = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;
    MPI_Status status;

    MPI_Sendrecv(&rank, 1, MPI_INT, right, 2, &got, 1, MPI_INT, left, 2, MPI_COMM_WORLD, &status);
    CHECK_INT(got, rank > 0 ? left : -7);
    CHECK_INT(status.MPI_SOURCE, left);
    CHECK_INT(status.MPI_TAG, rank > 0 ? 2 : MPI_ANY_TAG);
}

int main(int argc, char **argv)
{
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    pattern_freshen(buf, sizeof buf);
    sends();
    receives(1);
    receives(MPI_ANY_TAG);
    chain(rank, size);
    MPI_Finalize();
    return 0;
}
