/* overrun.c — P04: a message longer than its receive writes no byte behind the buffer nor into the
 * holes of a derived type, in each call that receives, and the connection works after it.
 *
 * Open MPI 4.1 fails with one process: see truncate.c. */
#include "../env/starling.h"
#include "pattern.h"

enum { GUARD = 4096, TAG = 9, HOLE = 24, BLOCK = 8 };
enum call { RECV, IRECV, POSTED, MRECV, IMRECV, PERSISTENT, REPLACE, CALLS };

static int rank, size, next, previous;
static unsigned char *out, *in;
static MPI_Comm comm;

static int receive_matched(int len, MPI_Datatype type, int nonblocking, MPI_Status *status)
{
    MPI_Message message;
    MPI_Request request;
    int err;

    MPI_Mprobe(MPI_ANY_SOURCE, TAG, comm, &message, MPI_STATUS_IGNORE);
    if (!nonblocking) {
        err = MPI_Mrecv(in, len, type, &message, status);
    } else {
        CHECK_INT(MPI_Imrecv(in, len, type, &message, &request), MPI_SUCCESS);
        err = MPI_Wait(&request, status);
        CHECK(request == MPI_REQUEST_NULL);
    }
    if (starling()) /* other libraries leave it unchanged */
        CHECK(message == MPI_MESSAGE_NULL);
    return err;
}

/* The request of a receive that failed is inactive, and may be started again: here it is freed. */
static int receive_persistent(int len, MPI_Datatype type, MPI_Status *status)
{
    MPI_Request request;

    MPI_Recv_init(in, len, type, previous, TAG, comm, &request);
    MPI_Start(&request);
    int err = MPI_Wait(&request, status);
    CHECK(request != MPI_REQUEST_NULL);
    CHECK_INT(MPI_Request_free(&request), MPI_SUCCESS);
    return err;
}

/* The message, of len bytes, is received as count elements of type. */
static void too_long(enum call call, int len, int count, MPI_Datatype type)
{
    MPI_Request send, receive;
    MPI_Status status;
    int err = MPI_SUCCESS;

    if (call == POSTED) {
        MPI_Irecv(in, count, type, previous, TAG, comm, &receive);
        MPI_Barrier(comm);
    }
    MPI_Isend(out, len, MPI_BYTE, next, TAG, comm, &send);
    if (call == RECV) {
        err = MPI_Recv(in, count, type, MPI_ANY_SOURCE, TAG, comm, &status);
    } else if (call == MRECV || call == IMRECV) {
        err = receive_matched(count, type, call == IMRECV, &status);
    } else if (call == PERSISTENT) {
        err = receive_persistent(count, type, &status);
    } else if (call == REPLACE) {
        err = MPI_Sendrecv_replace(in, count, type, MPI_PROC_NULL, 0, previous, TAG, comm, &status);
    } else {
        if (call == IRECV)
            MPI_Irecv(in, count, type, previous, TAG, comm, &receive);
        err = MPI_Wait(&receive, &status);
        CHECK(receive == MPI_REQUEST_NULL);
    }
    CHECK_INT(error_class(err), MPI_ERR_TRUNCATE);
    CHECK_INT(status.MPI_SOURCE, previous);
    CHECK_INT(status.MPI_TAG, TAG);
    CHECK_INT(MPI_Wait(&send, MPI_STATUS_IGNORE), MPI_SUCCESS);
}

static void next_is_right(int len)
{
    MPI_Status status;
    int count;

    MPI_Sendrecv(out, len, MPI_BYTE, next, TAG, in, len, MPI_BYTE, previous, TAG, comm, &status);
    MPI_Get_count(&status, MPI_BYTE, &count);
    CHECK_INT(count, len);
    CHECK_PATTERN(in, (size_t) len, (unsigned) previous);
}

static void contiguous(enum call call, int len, int room)
{
    pattern_freshen(in, (size_t) len + GUARD);
    too_long(call, len, room, MPI_BYTE);
    CHECK_FRESH(in + room, (size_t) (len - room) + GUARD);
    next_is_right(len);
}

static void with_holes(enum call call, int len)
{
    int blocks = len / 2 / BLOCK;
    size_t behind = (size_t) (blocks - 1) * HOLE + BLOCK;
    MPI_Datatype type;

    MPI_Type_vector(blocks, BLOCK, HOLE, MPI_BYTE, &type);
    MPI_Type_commit(&type);
    pattern_freshen(in, (size_t) blocks * HOLE + GUARD);
    too_long(call, len, 1, type);
    for (int i = 0; i < blocks - 1; i++)
        CHECK_FRESH(in + (size_t) i * HOLE + BLOCK, HOLE - BLOCK);
    CHECK_FRESH(in + behind, GUARD);
    MPI_Type_free(&type);
    next_is_right(len);
}

static void overrun(MPI_Comm c)
{
    comm = c;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    next = (rank + 1) % size;
    previous = (rank + size - 1) % size;
    pattern_fill(out, PATTERN_LONGEST_WAY, (unsigned) rank);
    for (enum call call = 0; call < CALLS; call++)
        for (int i = 0; i < PATTERN_WAYS - 1; i++) {
            contiguous(call, pattern_ways[i], pattern_ways[i] - 1);
            contiguous(call, pattern_ways[i], 0);
            if (i > 0)
                with_holes(call, pattern_ways[i]);
        }
    contiguous(POSTED, PATTERN_LONGEST_WAY, PATTERN_LONGEST_WAY / 3);
    with_holes(MRECV, PATTERN_LONGEST_WAY);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    out = mpitest_memory(PATTERN_LONGEST_WAY);
    in = mpitest_memory(2 * PATTERN_LONGEST_WAY + GUARD);
    overrun(MPI_COMM_WORLD);
    overrun(MPI_COMM_SELF);
    free(out);
    free(in);
    MPI_Finalize();
    return 0;
}
