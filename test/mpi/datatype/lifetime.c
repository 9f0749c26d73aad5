/* lifetime.c — D06: types that are freed while operations and other types use them; committed and
 * uncommitted ones; what MPI_Type_dup preserves. */
#include "mpitest.h"

enum { N = 50000 };

static int rank, size, next, previous;
static int out[2 * N], in[2 * N];

static MPI_Datatype every_other(int n)
{
    MPI_Datatype type;

    MPI_Type_vector(n, 1, 2, MPI_INT, &type);
    MPI_Type_commit(&type);
    return type;
}

/* Takes the places of freed types. */
static void churn(void)
{
    MPI_Datatype type[20];

    for (int i = 0; i < 20; i++) {
        MPI_Type_create_hvector(i + 2, 3, 17 + i, MPI_CHAR, &type[i]);
        MPI_Type_commit(&type[i]);
    }
    for (int i = 0; i < 20; i++)
        MPI_Type_free(&type[i]);
}

static void fill(int round)
{
    for (int i = 0; i < 2 * N; i++) {
        out[i] = rank * 31 + i + round;
        in[i] = -1;
    }
}

static void check(int n, int round)
{
    for (int i = 0; i < 2 * N; i++)
        CHECK_INT(in[i], i < 2 * n && i % 2 == 0 ? previous * 31 + i + round : -1);
}

static void pending(int n)
{
    MPI_Datatype type = every_other(n);
    MPI_Request request[2];

    fill(0);
    MPI_Irecv(in, 1, type, previous, 1, MPI_COMM_WORLD, &request[0]);
    MPI_Issend(out, 1, type, next, 1, MPI_COMM_WORLD, &request[1]);
    MPI_Type_free(&type);
    CHECK(type == MPI_DATATYPE_NULL);
    churn();
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    check(n, 0);
}

/* A persistent request keeps its type, from before its start until after its use. */
static void persistent(int n)
{
    MPI_Datatype type = every_other(n);
    MPI_Request request[2];

    MPI_Recv_init(in, 1, type, previous, 2, MPI_COMM_WORLD, &request[0]);
    MPI_Send_init(out, 1, type, next, 2, MPI_COMM_WORLD, &request[1]);
    MPI_Type_free(&type);
    churn();
    for (int round = 0; round < 3; round++) {
        fill(round);
        MPI_Startall(2, request);
        churn();
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
        check(n, round);
    }
    MPI_Request_free(&request[0]);
    MPI_Request_free(&request[1]);
}

/* Buffered: the call has copied the data when it returns; the type is freed before they are
 * sent. */
static void buffered(int n)
{
    MPI_Datatype type = every_other(n);
    int len, at;
    void *buffer, *detached;

    MPI_Pack_size(1, type, MPI_COMM_WORLD, &len);
    len += MPI_BSEND_OVERHEAD;
    buffer = malloc((size_t) len);
    MPI_Buffer_attach(buffer, len);
    fill(0);
    MPI_Bsend(out, 1, type, next, 3, MPI_COMM_WORLD);
    memset(out, 0, sizeof out);
    MPI_Recv(in, 1, type, previous, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&type);
    check(n, 0);
    MPI_Buffer_detach(&detached, &at);
    free(buffer);
}

/* Uncommitted types make other types and return their sizes. The new types outlive them. */
static void derived(void)
{
    MPI_Datatype inner, outer, dup, committed;
    MPI_Aint lb, extent;
    int bytes = -1;

    MPI_Type_vector(N, 1, 2, MPI_INT, &inner); /* never committed */
    MPI_Type_size(inner, &bytes);
    CHECK_INT(bytes, 4 * N);
    MPI_Type_dup(inner, &dup);
    MPI_Type_create_struct(1, (int[]) { 1 }, (MPI_Aint[]) { 0 }, &inner, &outer);
    MPI_Type_free(&inner);
    churn();
    MPI_Type_get_extent(dup, &lb, &extent);
    CHECK_INT(extent, 8 * N - 4);
    MPI_Type_commit(&outer);
    MPI_Type_commit(&outer);         /* a second time has no effect */
    MPI_Type_dup(outer, &committed); /* is committed as well */
    MPI_Type_free(&outer);
    fill(0);
    MPI_Sendrecv(out, 1, committed, next, 4, in, 1, committed, previous, 4, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    check(N, 0);
    MPI_Type_free(&committed);
    MPI_Type_commit(&dup);
    fill(1);
    MPI_Sendrecv(out, 1, dup, next, 5, in, 1, dup, previous, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    check(N, 1);
    MPI_Type_free(&dup);
}

/* One type within another, a hundred times, with only the last handle alive. */
static void chain(void)
{
    MPI_Datatype type, more;
    int value[2] = { rank + 5, 77 }, got[2] = { 0, 0 };

    MPI_Type_contiguous(1, MPI_INT, &type);
    for (int i = 0; i < 100; i++) {
        if (i % 2)
            MPI_Type_dup(type, &more);
        else
            MPI_Type_create_hindexed(1, (int[]) { 1 }, (MPI_Aint[]) { 0 }, type, &more);
        MPI_Type_free(&type);
        type = more;
    }
    MPI_Type_commit(&type);
    MPI_Sendrecv(value, 1, type, next, 6, got, 1, type, previous, 6, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    CHECK_INT(got[0], previous + 5);
    CHECK_INT(got[1], 0);
    MPI_Type_free(&type);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    next = (rank + 1) % size;
    previous = (rank + size - 1) % size;
    for (int n = 5; n <= N; n *= 100) {
        pending(n);
        persistent(n);
        buffered(n);
    }
    pending(N);
    derived();
    chain();
    MPI_Finalize();
    return 0;
}
