/* zero.c — P09: a message without data is a message: it is matched, counted and kept in order, in
 * every mode, also without a buffer. */
#include "pattern.h"

static int rank, size, next, previous;

static void send(int mode, int tag, MPI_Request *request)
{
    typedef int start(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
    start *const starts[] = { MPI_Isend, MPI_Issend, MPI_Isend };

    starts[mode](NULL, 0, mode == 2 ? MPI_DOUBLE : MPI_BYTE, next, tag, MPI_COMM_WORLD, request);
}

static void each_mode(int tag)
{
    for (int mode = 0; mode < 3; mode++) {
        MPI_Request request;
        MPI_Status status;
        int count = -1;

        send(mode, tag, &request);
        MPI_Probe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &status);
        CHECK_INT(status.MPI_SOURCE, previous);
        MPI_Get_count(&status, MPI_BYTE, &count);
        CHECK_INT(count, 0);
        status.MPI_TAG = -5;
        MPI_Recv(NULL, 0, MPI_BYTE, previous, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        CHECK_INT(status.MPI_TAG, tag);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

static void into_room(void)
{
    unsigned char room[16];
    MPI_Status status;
    int count = -1;

    pattern_freshen(room, sizeof room);
    MPI_Sendrecv(NULL, 0, MPI_INT, next, 1, room, 4, MPI_INT, previous, 1, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    CHECK_INT(count, 0);
    CHECK_FRESH(room, sizeof room);
}

/* An empty message between full ones, and a type without data. */
static void in_order(void)
{
    int out[2] = { 1, 2 }, in[3] = { -1, -1, -1 }, counts[3];
    MPI_Request request[6];
    MPI_Status status[6];
    MPI_Datatype nothing;

    MPI_Type_vector(5, 0, 3, MPI_INT, &nothing);
    MPI_Type_commit(&nothing);
    MPI_Isend(&out[0], 1, MPI_INT, next, 2, MPI_COMM_WORLD, &request[3]);
    MPI_Isend(out, 3, nothing, next, 2, MPI_COMM_WORLD, &request[4]);
    MPI_Isend(&out[1], 1, MPI_INT, next, 2, MPI_COMM_WORLD, &request[5]);
    for (int i = 0; i < 3; i++)
        MPI_Irecv(&in[i], 1, MPI_INT, previous, 2, MPI_COMM_WORLD, &request[i]);
    MPI_Waitall(6, request, status);
    for (int i = 0; i < 3; i++)
        MPI_Get_count(&status[i], MPI_INT, &counts[i]);
    CHECK(counts[0] == 1 && counts[1] == 0 && counts[2] == 1);
    CHECK(in[0] == 1 && in[1] == -1 && in[2] == 2);
    MPI_Type_free(&nothing);
}

int main(int argc, char **argv)
{
    int *ub, flag;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    next = (rank + 1) % size;
    previous = (rank + size - 1) % size;
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &ub, &flag);
    each_mode(0);
    each_mode(*ub);
    into_room();
    in_order();
    MPI_Finalize();
    return 0;
}
