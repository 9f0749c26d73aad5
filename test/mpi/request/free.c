/* free.c — P15, E06: the operation of a freed request completes, whatever its length, also when
 * MPI_Finalize comes first. */
#include "../pt2pt/pattern.h"

static int rank, size, next, previous;

static void freed_send(int len)
{
    char *out = mpitest_memory((size_t) len), *in = mpitest_memory((size_t) len);
    MPI_Request request;
    int token[2] = { 0, 0 };

    pattern_fill(out, (size_t) len, (unsigned) rank);
    MPI_Isend(out, len, MPI_BYTE, next, 1, MPI_COMM_WORLD, &request);
    CHECK_INT(MPI_Request_free(&request), MPI_SUCCESS);
    CHECK(request == MPI_REQUEST_NULL);
    MPI_Recv(in, len, MPI_BYTE, previous, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK_PATTERN(in, (size_t) len, (unsigned) previous);
    /* After the receiver's answer out may be reused. */
    MPI_Sendrecv(&token[0], 1, MPI_INT, previous, 2, &token[1], 1, MPI_INT, next, 2, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    free(in);
    free(out);
}

static void freed_receive(int len)
{
    char *out = mpitest_memory((size_t) len), *in = mpitest_memory((size_t) len);
    MPI_Request request;
    int token[2] = { 0, 0 };

    pattern_fill(out, (size_t) len, (unsigned) rank);
    MPI_Irecv(in, len, MPI_BYTE, previous, 3, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);
    CHECK(request == MPI_REQUEST_NULL);
    MPI_Ssend(out, len, MPI_BYTE, next, 3, MPI_COMM_WORLD);
    /* A later operation completes after it, which shows its end; the data of a long one may come
     * later. */
    MPI_Sendrecv(&token[0], 1, MPI_INT, next, 3, &token[1], 1, MPI_INT, previous, 3, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    for (double end = MPI_Wtime() + 10;
         pattern_wrong(in, (size_t) len, (unsigned) previous) >= 0;) {
        int flag;

        CHECK(MPI_Wtime() < end);
        MPI_Iprobe(MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    free(in);
    free(out);
}

/* Half of the receivers are late: their senders are in MPI_Finalize by then. */
static void into_finalize(char *out, char *in, int len)
{
    MPI_Request request;

    pattern_fill(out, (size_t) len, (unsigned) rank);
    MPI_Isend(out, len, MPI_BYTE, next, 4, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);
    if (rank % 2)
        for (double end = MPI_Wtime() + 0.05; MPI_Wtime() < end;)
            ;
    MPI_Recv(in, len, MPI_BYTE, previous, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CHECK_PATTERN(in, (size_t) len, (unsigned) previous);
}

int main(int argc, char **argv)
{
    char *out, *in;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    next = (rank + 1) % size;
    previous = (rank + size - 1) % size;
    for (int i = 0; i < PATTERN_WAYS; i++) {
        freed_send(pattern_ways[i]);
        if (size > 1) /* a blocking synchronous send to oneself would need its receive's progress */
            freed_receive(pattern_ways[i]);
    }
    for (int i = 0; i < 100; i++) /* no request object leaks */
        freed_send(8);
    out = mpitest_memory(PATTERN_LONGEST_WAY);
    in = mpitest_memory(PATTERN_LONGEST_WAY);
    into_finalize(out, in, PATTERN_LONGEST_WAY);
    MPI_Finalize();
    free(in);
    free(out);
    return 0;
}
