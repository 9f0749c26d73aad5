/* status.c — P06: calls that give one status leave its MPI_ERROR alone. P08: every call takes
 * MPI_STATUS_IGNORE.
 *
 * MPICH 4.0 fails: MPI_Probe writes MPI_ERROR. */
#include "pattern.h"

enum { UNTOUCHED = 0x5a5a, TAG = 4 };

static int rank, size, next, previous;
static int *out, *in;

static void start(int ints, MPI_Request *request)
{
    MPI_Isend(out, ints, MPI_INT, next, TAG, MPI_COMM_WORLD, request);
}

static void check(const MPI_Status *status, int ints)
{
    int count;

    CHECK_INT(status->MPI_ERROR, UNTOUCHED);
    CHECK_INT(status->MPI_SOURCE, previous);
    CHECK_INT(status->MPI_TAG, TAG);
    CHECK_INT(MPI_Get_count(status, MPI_INT, &count), MPI_SUCCESS);
    CHECK_INT(count, ints);
}

static void blocking_calls(int ints)
{
    MPI_Status status = { .MPI_ERROR = UNTOUCHED };
    MPI_Request request;
    int flag = 0;

    start(ints, &request);
    MPI_Probe(previous, TAG, MPI_COMM_WORLD, &status);
    check(&status, ints);
    while (!flag)
        MPI_Iprobe(MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &flag, &status);
    check(&status, ints);
    MPI_Recv(in, ints, MPI_INT, previous, TAG, MPI_COMM_WORLD, &status);
    check(&status, ints);
    MPI_Wait(&request, &status);
    CHECK_INT(status.MPI_ERROR, UNTOUCHED);
    MPI_Sendrecv(out, ints, MPI_INT, next, TAG, in, ints, MPI_INT, previous, TAG, MPI_COMM_WORLD,
                 &status);
    check(&status, ints);
}

static void completing_calls(int ints)
{
    MPI_Status status = { .MPI_ERROR = UNTOUCHED };

    for (int way = 0; way < 4; way++) {
        MPI_Request request[2];
        int flag = 0, index = -1;

        MPI_Irecv(in, ints, MPI_INT, previous, TAG, MPI_COMM_WORLD, &request[0]);
        start(ints, &request[1]);
        if (way == 0)
            MPI_Wait(&request[0], &status);
        while (way == 1 && !flag)
            MPI_Test(&request[0], &flag, &status);
        if (way == 2)
            MPI_Waitany(1, request, &index, &status);
        while (way == 3 && !flag)
            MPI_Testany(1, request, &index, &flag, &status);
        check(&status, ints);
        CHECK(way < 2 || index == 0);
        MPI_Wait(&request[1], MPI_STATUS_IGNORE);
    }
}

static void ignored(void)
{
    MPI_Request request[2];
    int flag = 0, index, count;

    for (int way = 0; way < 9; way++) {
        int indices[2];

        start(1, &request[1]);
        if (way == 0)
            MPI_Probe(previous, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (way == 1)
            MPI_Iprobe(previous, TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        MPI_Irecv(in, 1, MPI_INT, previous, TAG, MPI_COMM_WORLD, &request[0]);
        if (way == 2)
            MPI_Wait(&request[0], MPI_STATUS_IGNORE);
        if (way == 3)
            MPI_Test(&request[0], &flag, MPI_STATUS_IGNORE);
        if (way == 4)
            MPI_Waitany(2, request, &index, MPI_STATUS_IGNORE);
        if (way == 5)
            MPI_Testany(2, request, &index, &flag, MPI_STATUS_IGNORE);
        if (way == 6)
            MPI_Waitsome(2, request, &count, indices, MPI_STATUSES_IGNORE);
        if (way == 7)
            MPI_Testsome(2, request, &count, indices, MPI_STATUSES_IGNORE);
        if (way == 8)
            MPI_Testall(2, request, &flag, MPI_STATUSES_IGNORE);
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    }
    MPI_Sendrecv(out, 1, MPI_INT, next, TAG, in, 1, MPI_INT, previous, TAG, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    next = (rank + 1) % size;
    previous = (rank + size - 1) % size;
    out = mpitest_memory(PATTERN_LONGEST_WAY);
    in = mpitest_memory(PATTERN_LONGEST_WAY);
    for (int i = 0; i < PATTERN_WAYS; i++) {
        blocking_calls(pattern_ways[i] / 4);
        completing_calls(pattern_ways[i] / 4);
    }
    ignored();
    free(in);
    free(out);
    MPI_Finalize();
    return 0;
}
