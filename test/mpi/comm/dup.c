/* dup.c — G03, C15: a duplicate has the same processes, and its messages never match those of the
 * original or of other duplicates. Duplicating while messages are under way is legal. */
#include "../pt2pt/pattern.h"

enum { MANY = 50 };

static int rank, size, next, previous;

static void apart(void)
{
    MPI_Comm dup[3];
    MPI_Request request[4];
    int out[4], in = -1;

    for (int i = 0; i < 3; i++) {
        int r, s;

        MPI_Comm_dup(i ? dup[i - 1] : MPI_COMM_WORLD, &dup[i]);
        MPI_Comm_rank(dup[i], &r);
        MPI_Comm_size(dup[i], &s);
        CHECK_INT(r, rank);
        CHECK_INT(s, size);
    }
    for (int i = 0; i < 4; i++) {
        out[i] = rank * 10 + i;
        MPI_Isend(&out[i], 1, MPI_INT, next, 1, i ? dup[i - 1] : MPI_COMM_WORLD, &request[i]);
    }
    for (int i = 3; i >= 0; i--) {
        MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, i ? dup[i - 1] : MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
        CHECK_INT(in, previous * 10 + i);
    }
    MPI_Waitall(4, request, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 3; i++) {
        MPI_Comm_free(&dup[i]);
        CHECK(dup[i] == MPI_COMM_NULL);
    }
}

/* Wildcard receives and long messages are under way. They match neither the messages that make a
 * new communicator nor those of collective operations. */
static void while_pending(int len)
{
    char *out = mpitest_memory((size_t) len), *in = mpitest_memory((size_t) len);
    int one = 1, sum = 0, got = -1;
    MPI_Request request[3];
    MPI_Comm dup;

    pattern_fill(out, (size_t) len, (unsigned) rank);
    MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &request[0]);
    MPI_Irecv(in, len, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request[1]);
    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    MPI_Isend(out, len, MPI_BYTE, next, 8, MPI_COMM_WORLD, &request[2]);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, dup);
    CHECK_INT(sum, size);
    MPI_Comm_free(&dup);
    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    MPI_Wait(&request[1], MPI_STATUS_IGNORE);
    CHECK_PATTERN(in, (size_t) len, (unsigned) previous);
    MPI_Send(&rank, 1, MPI_INT, next, 7, MPI_COMM_WORLD);
    MPI_Waitall(3, request, MPI_STATUSES_IGNORE);
    CHECK_INT(got, previous);
    MPI_Comm_free(&dup);
    free(in);
    free(out);
}

/* Context ids do not run out, whatever the order of freeing. */
static void many(void)
{
    static MPI_Comm dup[MANY];

    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < MANY; i++)
            MPI_Comm_dup(MPI_COMM_WORLD, &dup[i]);
        for (int n = 0; n < MANY; n++) {
            int i = n * 7 % MANY, got = -1;

            MPI_Sendrecv(&n, 1, MPI_INT, next, 0, &got, 1, MPI_INT, previous, 0, dup[i],
                         MPI_STATUS_IGNORE);
            CHECK_INT(got, n);
            MPI_Comm_free(&dup[i]);
        }
    }
}

/* A message that arrives before its receiver has made the communicator is received. */
static void early(void)
{
    for (int i = 0; i < 20; i++) {
        int got = -1;
        MPI_Comm dup;
        MPI_Request request;

        MPI_Comm_dup(MPI_COMM_WORLD, &dup);
        MPI_Isend(&i, 1, MPI_INT, next, 3, dup, &request);
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 3, dup, MPI_STATUS_IGNORE);
        CHECK_INT(got, i);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Comm_free(&dup);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    next = (rank + 1) % size;
    previous = (rank + size - 1) % size;
    apart();
    for (int i = 0; i < PATTERN_WAYS; i++)
        while_pending(pattern_ways[i]);
    many();
    early();
    MPI_Finalize();
    return 0;
}
