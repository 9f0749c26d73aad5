/* arrays.c — P16: arrays of requests that are null, mixed, complete or incomplete, and empty
 * arrays. */
#include "../pt2pt/pattern.h"

enum { N = 9, SENTINEL = 0x2323 };

static int rank, size, next, previous;
static MPI_Request request[N], before[N];
static MPI_Status status[N];
static int which, flag, count, indices[N], out[N], in[N];

static void all_null(int n)
{
    MPI_Status one = { .MPI_SOURCE = 1, .MPI_TAG = 2 };

    for (int i = 0; i < N; i++)
        request[i] = MPI_REQUEST_NULL;
    which = flag = 0;
    MPI_Waitany(n, request, &which, &one);
    CHECK_INT(which, MPI_UNDEFINED);
    CHECK(one.MPI_SOURCE == MPI_ANY_SOURCE && one.MPI_TAG == MPI_ANY_TAG);
    which = 0;
    one.MPI_TAG = 3;
    MPI_Testany(n, request, &which, &flag, &one);
    CHECK(flag);
    CHECK_INT(which, MPI_UNDEFINED);
    CHECK_INT(one.MPI_TAG, MPI_ANY_TAG);
    count = 0;
    MPI_Waitsome(n, request, &count, indices, status);
    CHECK_INT(count, MPI_UNDEFINED);
    count = 0;
    MPI_Testsome(n, request, &count, indices, status);
    CHECK_INT(count, MPI_UNDEFINED);
    flag = 0;
    MPI_Testall(n, request, &flag, status);
    CHECK(flag);
    MPI_Waitall(n, request, status);
    for (int i = 0; i < n; i++) {
        int received = -1;

        CHECK_INT(status[i].MPI_SOURCE, MPI_ANY_SOURCE);
        CHECK_INT(status[i].MPI_TAG, MPI_ANY_TAG);
        MPI_Get_count(&status[i], MPI_INT, &received);
        CHECK_INT(received, 0);
    }
}

/* Receives in the odd places, nulls in the others. */
static void post(void)
{
    for (int i = 0; i < N; i++) {
        in[i] = -1;
        status[i].MPI_ERROR = SENTINEL;
        request[i] = MPI_REQUEST_NULL;
        if (i % 2)
            MPI_Irecv(&in[i], 1, MPI_INT, previous, i, MPI_COMM_WORLD, &request[i]);
        before[i] = request[i];
    }
}

static void send(int tag)
{
    out[tag] = rank * 100 + tag;
    MPI_Send(&out[tag], 1, MPI_INT, next, tag, MPI_COMM_WORLD);
}

static void unchanged(void)
{
    for (int i = 0; i < N; i++)
        CHECK(request[i] == before[i]);
}

static void received(int i, const MPI_Status *s)
{
    int n;

    CHECK(request[i] == MPI_REQUEST_NULL);
    CHECK_INT(in[i], previous * 100 + i);
    CHECK_INT(s->MPI_TAG, i);
    CHECK_INT(s->MPI_SOURCE, previous);
    MPI_Get_count(s, MPI_INT, &n);
    CHECK_INT(n, 1);
}

/* What a test with flag = false leaves unchanged; then MPI_Testall when one request is incomplete,
 * and when none is. */
static void test_all(void)
{
    post();
    MPI_Testall(N, request, &flag, status);
    CHECK(!flag);
    MPI_Testany(N, request, &which, &flag, MPI_STATUS_IGNORE);
    CHECK(!flag);
    CHECK_INT(which, MPI_UNDEFINED);
    count = 7;
    MPI_Testsome(N, request, &count, indices, status);
    CHECK_INT(count, 0);
    unchanged();
    MPI_Barrier(MPI_COMM_WORLD);
    for (int tag = 1; tag < N - 2; tag += 2)
        send(tag);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 100; i++) {
        MPI_Testall(N, request, &flag, status);
        CHECK(!flag);
        unchanged();
    }
    MPI_Barrier(MPI_COMM_WORLD);
    send(N - 2);
    while (!flag)
        MPI_Testall(N, request, &flag, status);
    for (int i = 1; i < N; i += 2)
        received(i, &status[i]);
    for (int i = 0; i < N; i += 2)
        CHECK_INT(status[i].MPI_SOURCE, MPI_ANY_SOURCE);
}

/* One message at a time: any finds its request. */
static void any_of(int waiting)
{
    MPI_Status s;

    post();
    for (int tag = N - 2; tag > 0; tag -= 2) {
        MPI_Barrier(MPI_COMM_WORLD);
        send(tag);
        flag = 0;
        which = -1;
        if (waiting)
            MPI_Waitany(N, request, &which, &s);
        while (!waiting && !flag)
            MPI_Testany(N, request, &which, &flag, &s);
        CHECK_INT(which, tag);
        received(which, &s);
    }
}

/* All messages at once: some returns each once, in the first entries. */
static void some_of(int waiting)
{
    int left = N / 2;

    post();
    for (int tag = 1; tag < N; tag += 2)
        send(tag);
    while (left > 0) {
        for (int i = 0; i < N; i++)
            status[i].MPI_TAG = -9;
        if (waiting)
            MPI_Waitsome(N, request, &count, indices, status);
        else
            MPI_Testsome(N, request, &count, indices, status);
        CHECK(count >= waiting && count <= left);
        for (int i = 0; i < count; i++) {
            CHECK(before[indices[i]] != MPI_REQUEST_NULL);
            before[indices[i]] = MPI_REQUEST_NULL;
            received(indices[i], &status[i]);
        }
        left -= count;
    }
    unchanged();
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    next = (rank + 1) % size;
    previous = (rank + size - 1) % size;
    all_null(N);
    all_null(1);
    all_null(0);
    MPI_Waitall(0, NULL, MPI_STATUSES_IGNORE);
    test_all();
    any_of(0);
    any_of(1);
    some_of(0);
    some_of(1);
    MPI_Finalize();
    return 0;
}
