/* bsend_space.c — P13: a buffered send that finds no room gives MPI_ERR_BUFFER and changes nothing,
 * and so does a second buffer. */
#include "../env/starling.h"
#include "buffered.h"

enum { LEN = 200000 };

static int rank, size, next, previous;
static unsigned char *out, *in, *room;

static void no_room(int len)
{
    for (int way = 0; way < BUFFERED_WAYS; way++)
        CHECK_INT(error_class(buffered_send((enum buffered_way) way, out, len, MPI_BYTE, next, 0,
                                            MPI_COMM_WORLD)),
                  MPI_ERR_BUFFER);
}

/* The message arrives unchanged, and nothing of the refused ones arrives with it. */
static void receive(int len, unsigned seed)
{
    int flag;
    MPI_Status status;

    MPI_Recv(in, LEN, MPI_BYTE, previous, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    CHECK_INT(status.MPI_TAG, (int) seed);
    CHECK_PATTERN(in, (size_t) len, seed);
    MPI_Sendrecv(&len, 1, MPI_INT, previous, 0, &flag, 1, MPI_INT, next, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE); /* when it has arrived, the room is free */
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    CHECK(!flag);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void none_attached(void)
{
    no_room(LEN);
    CHECK_INT(MPI_Bsend(out, LEN, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_WORLD), MPI_SUCCESS);
}

static void too_long(void)
{
    int total = buffered_need(1000, MPI_BYTE);

    MPI_Buffer_attach(room, total);
    no_room(LEN);
    pattern_fill(out, 1000, 1);
    CHECK_INT(MPI_Bsend(out, 1000, MPI_BYTE, next, 1, MPI_COMM_WORLD), MPI_SUCCESS);
    receive(1000, 1);
    buffered_detach(room, total);
}

/* A long message that is not yet received occupies the buffer. */
static void occupied(void)
{
    int total = buffered_need(LEN, MPI_BYTE);

    MPI_Buffer_attach(room, total);
    pattern_fill(out, LEN, 2);
    CHECK_INT(MPI_Bsend(out, LEN, MPI_BYTE, next, 2, MPI_COMM_WORLD), MPI_SUCCESS);
    if (starling() && size > 1)
        no_room(LEN); /* other libraries may have sent it to a safe place already */
    no_room(2 * LEN);
    MPI_Barrier(MPI_COMM_WORLD); /* no message is received before */
    receive(LEN, 2);
    pattern_fill(out, LEN, 3);
    CHECK_INT(buffered_send(IBSEND, out, LEN, MPI_BYTE, next, 3, MPI_COMM_WORLD), MPI_SUCCESS);
    receive(LEN, 3);
    buffered_detach(room, total);
}

static void attached_twice(void)
{
    int total = buffered_need(LEN, MPI_BYTE), len;
    void *at;

    CHECK_INT(MPI_Buffer_attach(room, total), MPI_SUCCESS);
    CHECK_INT(error_class(MPI_Buffer_attach(room, total)), MPI_ERR_BUFFER);
    CHECK_INT(error_class(MPI_Buffer_attach(in, 100)), MPI_ERR_BUFFER);
    pattern_fill(out, LEN, 4);
    CHECK_INT(MPI_Bsend(out, LEN, MPI_BYTE, next, 4, MPI_COMM_WORLD), MPI_SUCCESS);
    receive(LEN, 4);
    buffered_detach(room, total);
    if (starling()) /* other libraries detach the buffer of no bytes */
        CHECK_INT(error_class(MPI_Buffer_detach(&at, &len)), MPI_ERR_BUFFER);
    CHECK(error_class(MPI_Buffer_attach(room, -1)) != MPI_SUCCESS);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    next = (rank + 1) % size;
    previous = (rank + size - 1) % size;
    out = mpitest_memory(2 * LEN);
    in = mpitest_memory(LEN);
    room = mpitest_memory(2 * LEN);
    for (int i = 0; i < 3; i++) {
        none_attached();
        too_long();
        occupied();
        attached_twice();
    }
    free(out);
    free(in);
    free(room);
    MPI_Finalize();
    return 0;
}
