/* modes.c — P12: a synchronous send ends only after its receive has begun, a ready send to a posted
 * receive works like any. */
#include "pattern.h"

static int rank, size;
static char *buf;

/* Rank 1 receives only after a go-ahead; until then the request of rank 0 is not complete. */
static void issend(int len)
{
    int token = 0, flag;

    if (rank == 0) {
        MPI_Request request;

        MPI_Issend(buf, len, MPI_BYTE, 1, 1, MPI_COMM_WORLD, &request);
        for (int i = 0; i < 2000; i++) {
            MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
            CHECK(!flag);
        }
        MPI_Send(&token, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        for (int i = 0; i < 2000; i++) { /* a probe is no receive */
            MPI_Iprobe(0, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        }
        MPI_Recv(&token, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(buf, len, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

/* Rank 1 sends a note and then receives: the note has arrived when the synchronous send ends. */
static void ssend(int len)
{
    int token = 0, flag;

    if (rank == 0) {
        MPI_Request receives;

        MPI_Irecv(&token, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, &receives);
        MPI_Ssend(buf, len, MPI_BYTE, 1, 1, MPI_COMM_WORLD);
        MPI_Test(&receives, &flag, MPI_STATUS_IGNORE);
        CHECK(flag);
    } else if (rank == 1) {
        for (int i = 0; i < 2000; i++) { /* a send that does not wait would end meanwhile */
            MPI_Iprobe(0, 1, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        }
        MPI_Send(&token, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
        MPI_Recv(buf, len, MPI_BYTE, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

static void ready(int len)
{
    int token = 0;

    pattern_fill(buf, (size_t) len, (unsigned) rank);
    for (int i = 0; i < 2; i++) {
        MPI_Request request;

        if (rank == 1) {
            MPI_Irecv(buf, len, MPI_BYTE, 0, 1, MPI_COMM_WORLD, &request);
            MPI_Ssend(&token, 1, MPI_INT, 0, 2, MPI_COMM_WORLD);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            CHECK_PATTERN(buf, (size_t) len, 0);
        } else if (rank == 0) {
            MPI_Recv(&token, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            if (i == 0) {
                MPI_Rsend(buf, len, MPI_BYTE, 1, 1, MPI_COMM_WORLD);
                continue;
            }
            MPI_Irsend(buf, len, MPI_BYTE, 1, 1, MPI_COMM_WORLD, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    buf = mpitest_memory(PATTERN_LONGEST_WAY);
    for (int i = 0; i < PATTERN_WAYS && size > 1; i++) {
        issend(pattern_ways[i]);
        ssend(pattern_ways[i]);
        ready(pattern_ways[i]);
    }
    if (size > 1) {
        issend(0);
        ssend(0);
        ready(0);
    }
    free(buf);
    MPI_Finalize();
    return 0;
}
