/* self.c — P10: messages to oneself, in any order of posting, on the world and MPI_COMM_SELF. */
#include "pattern.h"

static unsigned char *out, *in;

static void check(const MPI_Status *status, int me, int len, unsigned seed)
{
    int count;

    CHECK_INT(status->MPI_SOURCE, me);
    MPI_Get_count(status, MPI_BYTE, &count);
    CHECK_INT(count, len);
    CHECK_PATTERN(in, (size_t) len, seed);
    CHECK_FRESH(in + len, 64);
    pattern_freshen(in, (size_t) len);
}

static void exchange(MPI_Comm comm, int me, int len, unsigned seed)
{
    MPI_Request send, receive;
    MPI_Status status;

    pattern_fill(out, (size_t) len, seed);
    MPI_Irecv(in, len, MPI_BYTE, me, 1, comm, &receive);
    MPI_Send(out, len, MPI_BYTE, me, 1, comm);
    MPI_Wait(&receive, &status);
    check(&status, me, len, seed);

    MPI_Irecv(in, len, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &receive);
    MPI_Ssend(out, len, MPI_BYTE, me, 1, comm);
    MPI_Wait(&receive, &status);
    check(&status, me, len, seed);

    MPI_Isend(out, len, MPI_BYTE, me, 1, comm, &send);
    MPI_Recv(in, len, MPI_BYTE, MPI_ANY_SOURCE, 1, comm, &status);
    MPI_Wait(&send, MPI_STATUS_IGNORE);
    check(&status, me, len, seed);

    MPI_Issend(out, len, MPI_BYTE, me, 1, comm, &send);
    MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status);
    MPI_Irecv(in, len, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, comm, &receive);
    MPI_Wait(&send, MPI_STATUS_IGNORE);
    MPI_Wait(&receive, &status);
    check(&status, me, len, seed);

    MPI_Sendrecv(out, len, MPI_BYTE, me, 1, in, len, MPI_BYTE, me, 1, comm, &status);
    check(&status, me, len, seed);
}

/* The same tag on both communicators: a message matches only in its own. */
static void apart(int rank)
{
    int a = 1, b = 2, got_a = 0, got_b = 0;
    MPI_Request request[2];

    MPI_Isend(&a, 1, MPI_INT, rank, 3, MPI_COMM_WORLD, &request[0]);
    MPI_Isend(&b, 1, MPI_INT, 0, 3, MPI_COMM_SELF, &request[1]);
    MPI_Recv(&got_b, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Recv(&got_a, 1, MPI_INT, rank, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    CHECK(got_a == 1 && got_b == 2);
}

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    out = mpitest_memory(PATTERN_MAX);
    in = mpitest_memory(PATTERN_MAX + 64);
    for (int i = 0; i < PATTERN_WAYS; i++) {
        exchange(MPI_COMM_WORLD, rank, pattern_ways[i], (unsigned) rank + 1);
        exchange(MPI_COMM_SELF, 0, pattern_ways[i], (unsigned) rank + 2);
    }
    exchange(MPI_COMM_WORLD, rank, 0, 0);
    exchange(MPI_COMM_SELF, 0, PATTERN_MAX, 3);
    apart(rank);
    free(in);
    free(out);
    MPI_Finalize();
    return 0;
}
