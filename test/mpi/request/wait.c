/* wait.c — P14: completing a request gives its result and sets it to MPI_REQUEST_NULL; a null one
 * is complete at once, with the empty status. */
#include "../pt2pt/pattern.h"

enum { SENTINEL = 0x3131 };

static int rank, size, next, previous;

/* §3.7.3 says that MPI_ERROR of an empty status is MPI_SUCCESS, §3.2.5 that it is left alone. */
static void check_empty(const MPI_Status *status)
{
    int count = -1;

    CHECK_INT(status->MPI_SOURCE, MPI_ANY_SOURCE);
    CHECK_INT(status->MPI_TAG, MPI_ANY_TAG);
    CHECK(status->MPI_ERROR == MPI_SUCCESS || status->MPI_ERROR == SENTINEL);
    MPI_Get_count(status, MPI_BYTE, &count);
    CHECK_INT(count, 0);
}

static void null_request(void)
{
    for (int way = 0; way < 4; way++) {
        MPI_Status status = { .MPI_SOURCE = 7, .MPI_TAG = 8, .MPI_ERROR = SENTINEL };
        MPI_Request request = MPI_REQUEST_NULL;
        int flag = 0, index = 5;

        if (way == 0)
            CHECK_INT(MPI_Wait(&request, &status), MPI_SUCCESS);
        if (way == 1)
            CHECK_INT(MPI_Test(&request, &flag, &status), MPI_SUCCESS);
        if (way == 2)
            CHECK_INT(MPI_Waitany(1, &request, &index, &status), MPI_SUCCESS);
        if (way == 3)
            CHECK_INT(MPI_Testany(1, &request, &index, &flag, &status), MPI_SUCCESS);
        check_empty(&status);
        CHECK(way % 2 == 0 || flag);
        CHECK(way < 2 || index == MPI_UNDEFINED);
        CHECK(request == MPI_REQUEST_NULL);
    }
}

/* A test that is false changes nothing but flag. */
static void test_false(void)
{
    MPI_Request request, before;
    int flag = 1, got = -1;

    MPI_Irecv(&got, 1, MPI_INT, previous, 1, MPI_COMM_WORLD, &request);
    before = request;
    for (int i = 0; i < 100; i++) {
        MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
        CHECK(!flag);
        CHECK(request == before);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Send(&rank, 1, MPI_INT, next, 1, MPI_COMM_WORLD);
    while (!flag)
        MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    CHECK(request == MPI_REQUEST_NULL);
    CHECK_INT(got, previous);
}

static void each_length(int len)
{
    char *out = mpitest_memory((size_t) len), *in = mpitest_memory((size_t) len);
    MPI_Request send, receive;
    MPI_Status status;
    int count;

    pattern_fill(out, (size_t) len, (unsigned) rank);
    MPI_Isend(out, len, MPI_BYTE, next, 2, MPI_COMM_WORLD, &send);
    CHECK(send != MPI_REQUEST_NULL);
    MPI_Irecv(in, len, MPI_BYTE, previous, 2, MPI_COMM_WORLD, &receive);
    CHECK(receive != MPI_REQUEST_NULL);
    MPI_Wait(&receive, &status);
    CHECK(receive == MPI_REQUEST_NULL);
    MPI_Get_count(&status, MPI_BYTE, &count);
    CHECK_INT(count, len);
    CHECK_INT(status.MPI_SOURCE, previous);
    CHECK_PATTERN(in, (size_t) len, (unsigned) previous);
    MPI_Wait(&send, &status);
    CHECK(send == MPI_REQUEST_NULL);
    free(in);
    free(out);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    next = (rank + 1) % size;
    previous = (rank + size - 1) % size;
    null_request();
    test_false();
    for (int i = 0; i < PATTERN_WAYS; i++)
        each_length(pattern_ways[i]);
    each_length(0);
    MPI_Finalize();
    return 0;
}
