/* progress.c — P03: a matched pair of send and receive completes while its processes are in other
 * calls, and a blocked send does not stop the messages of other processes. */
#include "pattern.h"

static int rank, size;
static char *out, *in;

/* Rank 0 waits for a token that rank 1 sends only after its long message has gone. */
static void receive_while_receiving(int len)
{
    int token = 0;

    if (rank == 0) {
        MPI_Request request;

        MPI_Irecv(in, len, MPI_BYTE, 1, 1, MPI_COMM_WORLD, &request);
        MPI_Recv(&token, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        CHECK_PATTERN(in, (size_t) len, 1);
    } else if (rank == 1) {
        MPI_Ssend(out, len, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
        MPI_Ssend(&token, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
    }
}

/* Rank 0 enters a collective operation before its long message has left. */
static void send_while_in_barrier(int len, MPI_Comm other)
{
    MPI_Request request = MPI_REQUEST_NULL;

    if (rank == 0)
        MPI_Isend(out, len, MPI_BYTE, 1, 3, MPI_COMM_WORLD, &request);
    if (rank == 1) {
        MPI_Recv(in, len, MPI_BYTE, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        CHECK_PATTERN(in, (size_t) len, 0);
    }
    MPI_Barrier(other);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* Rank 0 probes for what rank 1 sends after its long message has gone. */
static void send_while_probing(int len)
{
    MPI_Request request;
    int token = 0;

    if (rank == 0) {
        MPI_Isend(out, len, MPI_BYTE, 1, 3, MPI_COMM_WORLD, &request);
        MPI_Probe(1, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&token, 1, MPI_INT, 1, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        MPI_Recv(in, len, MPI_BYTE, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        CHECK_PATTERN(in, (size_t) len, 0);
        MPI_Send(&token, 1, MPI_INT, 0, 4, MPI_COMM_WORLD);
    }
}

/* Rank 0 is blocked in a send to rank 1, which waits until rank 2 has
 * sent its message to rank 0. */
static void blocked_send(int len, MPI_Comm other)
{
    MPI_Request request;
    int token = 0;

    if (rank == 0) {
        MPI_Irecv(in, len, MPI_BYTE, 2, 5, other, &request);
        MPI_Ssend(out, len, MPI_BYTE, 1, 5, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        CHECK_PATTERN(in, (size_t) len, 2);
    } else if (rank == 1) {
        MPI_Recv(&token, 1, MPI_INT, 2, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(in, len, MPI_BYTE, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        CHECK_PATTERN(in, (size_t) len, 0);
    } else if (rank == 2) {
        MPI_Ssend(out, len, MPI_BYTE, 0, 5, other);
        MPI_Send(&token, 1, MPI_INT, 1, 6, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    MPI_Comm other;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    out = mpitest_memory(PATTERN_LONGEST_WAY);
    in = mpitest_memory(PATTERN_LONGEST_WAY);
    pattern_fill(out, PATTERN_LONGEST_WAY, (unsigned) rank);
    for (int i = 0; i < PATTERN_WAYS && size > 1; i++) {
        receive_while_receiving(pattern_ways[i]);
        send_while_in_barrier(pattern_ways[i], other);
        send_while_probing(pattern_ways[i]);
        if (size > 2)
            blocked_send(pattern_ways[i], other);
    }
    free(in);
    free(out);
    MPI_Comm_free(&other);
    MPI_Finalize();
    return 0;
}
