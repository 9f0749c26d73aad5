/* probe.c — P21: the next receive gets the message that a probe describes; a loop of MPI_Iprobe
 * sees every message in the end; a probe does not remove a message. */
#include "pattern.h"

static int rank, size, next, previous;
static unsigned char *out, *in;

static void probe_then_receive(int len)
{
    MPI_Status probed, status;
    MPI_Request request;
    int count;

    pattern_fill(out, (size_t) len, (unsigned) rank);
    MPI_Isend(out, len, MPI_BYTE, next, len % 1000, MPI_COMM_WORLD, &request);
    for (int i = 0; i < 3; i++) {
        MPI_Probe(i == 1 ? previous : MPI_ANY_SOURCE, i == 2 ? len % 1000 : MPI_ANY_TAG,
                  MPI_COMM_WORLD, &probed);
        CHECK_INT(probed.MPI_SOURCE, previous);
        CHECK_INT(probed.MPI_TAG, len % 1000);
        MPI_Get_count(&probed, MPI_BYTE, &count);
        CHECK_INT(count, len);
    }
    MPI_Recv(in, len, MPI_BYTE, probed.MPI_SOURCE, probed.MPI_TAG, MPI_COMM_WORLD, &status);
    CHECK_PATTERN(in, (size_t) len, (unsigned) previous);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* No process sends on this communicator: nothing is found, whatever happens on others. */
static void nothing_there(MPI_Comm quiet)
{
    MPI_Request request;
    int flag;

    MPI_Isend(&rank, 1, MPI_INT, next, 1, MPI_COMM_WORLD, &request);
    MPI_Probe(previous, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < 100; i++) {
        flag = 1;
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, quiet, &flag, MPI_STATUS_IGNORE);
        CHECK(!flag);
        flag = 1;
        MPI_Iprobe(previous, 2, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
        CHECK(!flag);
    }
    MPI_Recv(in, 1, MPI_INT, previous, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* All send to rank 0, which receives what it finds, longest first where it can choose. */
static void iprobe_loop(int len)
{
    MPI_Request request;
    int left = rank == 0 ? size : 0, flag, count;

    pattern_fill(out, (size_t) len, (unsigned) rank);
    MPI_Isend(out, len, MPI_BYTE, 0, rank, MPI_COMM_WORLD, &request);
    for (int tag = 0; left > 0; tag = (tag + 1) % size) {
        MPI_Status status;

        MPI_Iprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &flag, &status);
        if (!flag)
            continue;
        MPI_Get_count(&status, MPI_BYTE, &count);
        CHECK_INT(count, len);
        CHECK_INT(status.MPI_SOURCE, tag);
        MPI_Recv(in, len, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, &status);
        CHECK_PATTERN(in, (size_t) len, (unsigned) tag);
        left--;
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* A posted receive has its message; a probe sees only the next one. */
static void behind_posted(void)
{
    int value[2] = { 10, 20 }, got[2] = { 0, 0 };
    MPI_Request request[3];
    MPI_Status status;

    MPI_Irecv(&got[0], 1, MPI_INT, previous, 6, MPI_COMM_WORLD, &request[2]);
    for (int i = 0; i < 2; i++)
        MPI_Isend(&value[i], 1, MPI_INT, next, 6, MPI_COMM_WORLD, &request[i]);
    MPI_Probe(previous, 6, MPI_COMM_WORLD, &status);
    MPI_Recv(&got[1], 1, MPI_INT, status.MPI_SOURCE, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Waitall(3, request, MPI_STATUSES_IGNORE);
    CHECK(got[0] == 10 && got[1] == 20);
}

int main(int argc, char **argv)
{
    MPI_Comm quiet;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_dup(MPI_COMM_WORLD, &quiet);
    next = (rank + 1) % size;
    previous = (rank + size - 1) % size;
    out = mpitest_memory(PATTERN_MAX);
    in = mpitest_memory(PATTERN_MAX);
    for (int i = 0; i < PATTERN_SIZES; i++)
        probe_then_receive(pattern_sizes[i]);
    MPI_Barrier(MPI_COMM_WORLD);
    nothing_there(quiet);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < PATTERN_WAYS; i++)
        iprobe_loop(pattern_ways[i]);
    behind_posted();
    free(in);
    free(out);
    MPI_Comm_free(&quiet);
    MPI_Finalize();
    return 0;
}
