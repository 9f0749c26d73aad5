/* truncate.c — P04: a message longer than its buffer gives MPI_ERR_TRUNCATE and its envelope,
 * writes nothing behind the buffer, and does not affect later messages.
 *
 * Open MPI 4.1 fails with one process: a message to itself is truncated without an error. */
#include "../env/starling.h"
#include "pattern.h"

enum { GUARD = 4096, TAG = 9 };

static int rank, size, next, previous;
static unsigned char *out, *in;

static void check(int err, const MPI_Status *status, int room)
{
    CHECK_INT(error_class(err), MPI_ERR_TRUNCATE);
    CHECK_INT(status->MPI_SOURCE, previous);
    CHECK_INT(status->MPI_TAG, TAG);
    CHECK_FRESH(in + room, GUARD);
}

/* The next message is right: the library and the connection still work. */
static void check_next(int len)
{
    MPI_Status status;
    int count;

    MPI_Sendrecv(out, len, MPI_BYTE, next, TAG, in, len, MPI_BYTE, previous, TAG, MPI_COMM_WORLD,
                 &status);
    MPI_Get_count(&status, MPI_BYTE, &count);
    CHECK_INT(count, len);
    CHECK_PATTERN(in, (size_t) len, (unsigned) previous);
    pattern_freshen(in, (size_t) len + GUARD);
}

static void too_long(int len, int room)
{
    MPI_Request send, receive;
    MPI_Status status;

    /* The receive comes after the message. */
    MPI_Isend(out, len, MPI_BYTE, next, TAG, MPI_COMM_WORLD, &send);
    MPI_Probe(previous, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    check(MPI_Recv(in, room, MPI_BYTE, previous, TAG, MPI_COMM_WORLD, &status), &status, room);
    CHECK_INT(MPI_Wait(&send, MPI_STATUS_IGNORE), MPI_SUCCESS);
    check_next(len);

    /* The receive comes before the message. */
    MPI_Irecv(in, room, MPI_BYTE, MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &receive);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Isend(out, len, MPI_BYTE, next, TAG, MPI_COMM_WORLD, &send);
    check(MPI_Wait(&receive, &status), &status, room);
    CHECK(receive == MPI_REQUEST_NULL);
    CHECK_INT(MPI_Wait(&send, MPI_STATUS_IGNORE), MPI_SUCCESS);
    check_next(len);

    check(MPI_Sendrecv(out, len, MPI_BYTE, next, TAG, in, room, MPI_BYTE, previous, TAG,
                       MPI_COMM_WORLD, &status),
          &status, room);
    check_next(len);
}

/* The buffer is a vector: its holes stay unchanged, too. */
static void into_vector(int len)
{
    int blocks = len / 2 / 8; /* of 8 bytes, 24 apart */
    MPI_Datatype vector;
    MPI_Request send;
    MPI_Status status;

    MPI_Type_vector(blocks, 8, 24, MPI_BYTE, &vector);
    MPI_Type_commit(&vector);
    unsigned char *apart = mpitest_memory((size_t) blocks * 24 + GUARD);
    MPI_Isend(out, len, MPI_BYTE, next, TAG, MPI_COMM_WORLD, &send);
    int err = MPI_Recv(apart, 1, vector, previous, TAG, MPI_COMM_WORLD, &status);
    CHECK_INT(error_class(err), MPI_ERR_TRUNCATE);
    for (int i = 0; i < blocks - 1; i++)
        CHECK_FRESH(apart + (size_t) i * 24 + 8, 16);
    CHECK_FRESH(apart + (size_t) (blocks - 1) * 24 + 8, GUARD);
    MPI_Wait(&send, MPI_STATUS_IGNORE);
    free(apart);
    MPI_Type_free(&vector);
    check_next(len);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    next = (rank + 1) % size;
    previous = (rank + size - 1) % size;
    out = mpitest_memory(PATTERN_LONGEST_WAY);
    in = mpitest_memory(PATTERN_LONGEST_WAY + GUARD);
    pattern_fill(out, PATTERN_LONGEST_WAY, (unsigned) rank);
    for (int i = 0; i < PATTERN_WAYS; i++) {
        int len = pattern_ways[i];

        too_long(len, len - 1);
        too_long(len, len / 2);
        too_long(len, 0);
        if (i > 0)
            into_vector(len);
    }
    free(in);
    free(out);
    MPI_Finalize();
    return 0;
}
