/* cancel_send.c — P23: a cancelled send either never arrives or arrives as if it had not been
 * cancelled, and its status says which; waiting for it does not need a receive.
 *
 * MPICH 4.0 fails: its cancel does nothing, so that the wait never ends. So does Open MPI 4.1. */
#include "pattern.h"

enum { WAYS = 4, TAG = 6, TOKEN = 7, RACES = 200 };

typedef int start(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
static start *const ways[WAYS] = { MPI_Isend, MPI_Issend, MPI_Ibsend, MPI_Send_init };

static unsigned char *out, *in;
static int rank, size, next, previous;

static int cancel(MPI_Request *send)
{
    MPI_Status status;
    int flag = -1;

    CHECK_INT(MPI_Cancel(send), MPI_SUCCESS);
    CHECK_INT(MPI_Wait(send, &status), MPI_SUCCESS);
    CHECK_INT(MPI_Test_cancelled(&status, &flag), MPI_SUCCESS);
    return flag;
}

static MPI_Request begin(int way, int len)
{
    MPI_Request send;

    ways[way](out, len, MPI_BYTE, next, TAG, MPI_COMM_WORLD, &send);
    if (ways[way] == MPI_Send_init)
        MPI_Start(&send);
    return send;
}

/* Whether the message that this process receives was cancelled, as its sender reports. */
static int peer_flag(int cancelled)
{
    int there = -1;

    MPI_Sendrecv(&cancelled, 1, MPI_INT, next, TOKEN, &there, 1, MPI_INT, previous, TOKEN,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return there;
}

static void receive(int len, unsigned seed)
{
    MPI_Status status;
    int count;

    MPI_Recv(in, PATTERN_LONGEST_WAY, MPI_BYTE, MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &status);
    CHECK_INT(status.MPI_SOURCE, previous);
    MPI_Get_count(&status, MPI_BYTE, &count);
    CHECK_INT(count, len);
    CHECK_PATTERN(in, (size_t) len, seed);
}

/* No receive is posted: the next message that is received is this one if it was not cancelled, and
 * the one after it otherwise. A persistent request is started again for that. */
static void unmatched(int way, int len)
{
    MPI_Request send;

    pattern_fill(out, (size_t) len, (unsigned) rank);
    send = begin(way, len);
    if (!peer_flag(cancel(&send)))
        receive(len, (unsigned) previous);
    pattern_fill(out, (size_t) len, (unsigned) rank + 50);
    if (ways[way] == MPI_Send_init)
        MPI_Start(&send);
    else
        MPI_Isend(out, len, MPI_BYTE, next, TAG, MPI_COMM_WORLD, &send);
    receive(len, (unsigned) previous + 50);
    MPI_Wait(&send, MPI_STATUS_IGNORE);
    if (send != MPI_REQUEST_NULL)
        MPI_Request_free(&send);
}

/* A receive is posted, or comes at any moment: it gets this message or the one after it. */
static void racing(int i)
{
    int len = pattern_ways[i % PATTERN_WAYS], posted = i % 3, flag;
    MPI_Request send, receive;

    pattern_fill(out, (size_t) len, (unsigned) (rank + i));
    if (posted)
        MPI_Irecv(in, len, MPI_BYTE, MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &receive);
    send = begin(i % (WAYS - 1), len);
    for (int k = 0; k < i % 7; k++)
        MPI_Request_get_status(send, &flag, MPI_STATUS_IGNORE);
    if (!posted)
        MPI_Irecv(in, len, MPI_BYTE, MPI_ANY_SOURCE, TAG, MPI_COMM_WORLD, &receive);
    if (cancel(&send)) {
        pattern_fill(out, (size_t) len, (unsigned) (rank + i + 100));
        MPI_Isend(out, len, MPI_BYTE, next, TAG, MPI_COMM_WORLD, &send);
        flag = peer_flag(1);
    } else {
        flag = peer_flag(0);
    }
    MPI_Wait(&receive, MPI_STATUS_IGNORE);
    CHECK_PATTERN(in, (size_t) len, (unsigned) (previous + i + (flag ? 100 : 0)));
    MPI_Wait(&send, MPI_STATUS_IGNORE);
}

/* A buffered message that is cancelled frees its part of the buffer. */
static void buffered(void)
{
    enum { LEN = 300000 };
    static unsigned char room[LEN + MPI_BSEND_OVERHEAD];
    int len = sizeof room;
    void *at;

    MPI_Buffer_attach(room, len);
    for (int i = 0; i < 5; i++) {
        MPI_Request send;

        pattern_fill(out, LEN, (unsigned) (rank + i));
        MPI_Ibsend(out, LEN, MPI_BYTE, next, TAG, MPI_COMM_WORLD, &send);
        if (!peer_flag(cancel(&send)))
            receive(LEN, (unsigned) (previous + i));
        MPI_Sendrecv(&i, 1, MPI_INT, previous, TOKEN, &(int) { 0 }, 1, MPI_INT, next, TOKEN,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* when it has arrived, the room is free */
    }
    MPI_Buffer_detach(&at, &len);
    CHECK(at == room && len == sizeof room);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    next = (rank + 1) % size;
    previous = (rank + size - 1) % size;
    out = mpitest_memory(PATTERN_LONGEST_WAY);
    in = mpitest_memory(PATTERN_LONGEST_WAY);
    buffered();
    int room_len = 4 * PATTERN_LONGEST_WAY;
    void *room = mpitest_memory((size_t) room_len);
    MPI_Buffer_attach(room, room_len);
    for (int i = 0; i < WAYS * PATTERN_WAYS; i++)
        unmatched(i % WAYS, pattern_ways[i / WAYS]);
    for (int i = 0; i < RACES; i++)
        racing(i);
    MPI_Buffer_detach(&room, &room_len);
    free(room);
    free(out);
    free(in);
    MPI_Finalize();
    return 0;
}
