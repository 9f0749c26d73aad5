/* persistent.c — P24: persistent requests of all modes, started any number of times and in any
 * order, completed by each call, with any kind of operation on the other side. */
#include "../pt2pt/pattern.h"
#include "comms.h"
#include "complete.h"

enum { MODES = 4, PER_MODE = 3, SENDS = MODES * PER_MODE, N = 2 * SENDS, ROUNDS = 16 };
static const int lengths[PER_MODE] = { 5, 3000, 100000 };
enum { LONGEST = 100000 };

typedef int init(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
static init *const modes[MODES] = { MPI_Send_init, MPI_Ssend_init, MPI_Rsend_init, MPI_Bsend_init };
static unsigned char *out[SENDS], *in[SENDS], *room;
static MPI_Request request[N]; /* the receives, then the sends */
static int room_len;

static int length_of(int i) { return lengths[i % PER_MODE]; }

static void make(int to, int from, MPI_Comm comm)
{
    for (int i = 0; i < SENDS; i++) {
        CHECK_INT(MPI_Recv_init(in[i], LONGEST, MPI_BYTE, i % 2 ? from : MPI_ANY_SOURCE, i, comm,
                                &request[i]),
                  MPI_SUCCESS);
        CHECK_INT(
            modes[i / PER_MODE](out[i], length_of(i), MPI_BYTE, to, i, comm, &request[SENDS + i]),
            MPI_SUCCESS);
    }
}

/* Starts some of n requests one by one and backwards, the others by one call. */
static void start(int n, MPI_Request r[], int alone)
{
    for (int i = alone - 1; i >= 0; i--)
        CHECK_INT(MPI_Start(&r[i]), MPI_SUCCESS);
    CHECK_INT(MPI_Startall(n - alone, r + alone), MPI_SUCCESS);
}

static void check_round(int round, int from, const MPI_Status status[])
{
    for (int i = 0; i < SENDS; i++) {
        int count;

        CHECK(request[i] != MPI_REQUEST_NULL && request[SENDS + i] != MPI_REQUEST_NULL);
        CHECK_INT(status[i].MPI_SOURCE, from);
        CHECK_INT(status[i].MPI_TAG, i);
        MPI_Get_count(&status[i], MPI_BYTE, &count);
        CHECK_INT(count, length_of(i));
        CHECK_PATTERN(in[i], (size_t) count, (unsigned) (from + round + i));
        pattern_freshen(in[i], (size_t) count);
    }
}

static void many_rounds(MPI_Comm comm)
{
    int rank, size;
    MPI_Status status[N];

    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    int from = (rank + size - 1) % size;
    make((rank + 1) % size, from, comm);
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < SENDS; i++)
            pattern_fill(out[i], (size_t) length_of(i), (unsigned) (rank + round + i));
        start(SENDS, request, (round + rank) % (SENDS + 1));
        MPI_Barrier(comm); /* ready mode wants the receives posted */
        start(SENDS, request + SENDS, (3 * round + rank) % (SENDS + 1));
        enum complete_call call = (enum complete_call)((round + rank) % COMPLETE_CALLS);
        CHECK_INT(complete(call, N, request, status), N);
        check_round(round, from, status);
        CHECK_INT(complete(call, N, request, status), complete_gives_all(call) ? N : 0);
        for (int i = 0; complete_gives_all(call) && i < N; i++)
            complete_check_empty(&status[i]);
    }
    for (int i = 0; i < N; i++) {
        CHECK_INT(MPI_Request_free(&request[i]), MPI_SUCCESS);
        CHECK(request[i] == MPI_REQUEST_NULL);
    }
}

/* Requests match in the order of their starts, whatever the order in which they were made. */
static void order_of_starts(MPI_Comm comm)
{
    int rank, size, a = 1, b = 2, got[2];
    MPI_Request sends[2], receives[2];

    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    MPI_Send_init(&a, 1, MPI_INT, (rank + 1) % size, 1, comm, &sends[0]);
    MPI_Send_init(&b, 1, MPI_INT, (rank + 1) % size, 1, comm, &sends[1]);
    for (int i = 0; i < 2; i++)
        MPI_Recv_init(&got[i], 1, MPI_INT, (rank + size - 1) % size, 1, comm, &receives[i]);
    for (int i = 0; i < 4; i++) {
        int first_send = i % 2, first_receive = i / 2;

        MPI_Start(&receives[first_receive]);
        MPI_Start(&receives[!first_receive]);
        MPI_Start(&sends[first_send]);
        MPI_Start(&sends[!first_send]);
        MPI_Waitall(2, sends, MPI_STATUSES_IGNORE);
        MPI_Waitall(2, receives, MPI_STATUSES_IGNORE);
        CHECK_INT(got[first_receive], first_send + 1);
        CHECK_INT(got[!first_receive], !first_send + 1);
    }
    for (int i = 0; i < 2; i++) {
        MPI_Request_free(&sends[i]);
        MPI_Request_free(&receives[i]);
    }
}

/* Plain sends to a persistent receive with wildcards; plain receives of a persistent send. */
static void with_plain(MPI_Comm comm)
{
    int rank, size, x, y = -1, flag;
    MPI_Request send, receive, plain;
    MPI_Status status;

    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    int to = (rank + 1) % size, from = (rank + size - 1) % size;
    MPI_Send_init(&x, 1, MPI_INT, to, 5, comm, &send);
    MPI_Recv_init(&y, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &receive);
    for (x = rank * 10; x < rank * 10 + 3; x++) {
        MPI_Start(&receive);
        MPI_Isend(&x, 1, MPI_INT, to, x % 3, comm, &plain);
        MPI_Wait(&receive, &status);
        CHECK_INT(status.MPI_SOURCE, from);
        CHECK_INT(y, from * 10 + x % 10);
        CHECK_INT(status.MPI_TAG, y % 3);
        MPI_Wait(&plain, MPI_STATUS_IGNORE);
        MPI_Start(&send);
        MPI_Probe(MPI_ANY_SOURCE, 5, comm, &status);
        MPI_Recv(&y, 1, MPI_INT, status.MPI_SOURCE, 5, comm, MPI_STATUS_IGNORE);
        CHECK_INT(y, from * 10 + x % 10);
        for (flag = 0; !flag;)
            MPI_Test(&send, &flag, &status);
        MPI_Test_cancelled(&status, &flag);
        CHECK(!flag);
    }
    MPI_Request_free(&receive); /* both are inactive, one was never started again */
    MPI_Request_free(&send);
}

/* The type is freed while the requests that use it live on. */
static void derived(MPI_Comm comm)
{
    int rank, size, column[30], got[60];
    MPI_Datatype every_third, every_sixth;
    MPI_Request r[2];

    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    int from = (rank + size - 1) % size;
    MPI_Type_vector(10, 1, 3, MPI_INT, &every_third);
    MPI_Type_vector(10, 1, 6, MPI_INT, &every_sixth);
    MPI_Type_commit(&every_third);
    MPI_Type_commit(&every_sixth);
    MPI_Send_init(column, 1, every_third, (rank + 1) % size, 2, comm, &r[0]);
    MPI_Recv_init(got, 1, every_sixth, from, 2, comm, &r[1]);
    MPI_Type_free(&every_third);
    MPI_Type_free(&every_sixth);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 30; i++)
            column[i] = rank + round + i;
        for (int i = 0; i < 60; i++)
            got[i] = -1;
        MPI_Startall(2, r);
        MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
        for (int i = 0; i < 60; i++)
            CHECK_INT(got[i], i % 6 ? -1 : from + round + i / 2);
    }
    MPI_Request_free(&r[0]);
    MPI_Request_free(&r[1]);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    room_len = SENDS * (LONGEST + MPI_BSEND_OVERHEAD);
    room = mpitest_memory((size_t) room_len);
    for (int i = 0; i < SENDS; i++) {
        out[i] = mpitest_memory(LONGEST);
        in[i] = mpitest_memory(LONGEST);
    }
    MPI_Buffer_attach(room, room_len);
    comms_each(many_rounds);
    comms_each(order_of_starts);
    comms_each(with_plain);
    comms_each(derived);
    MPI_Buffer_detach(&room, &room_len);
    for (int i = 0; i < SENDS; i++) {
        free(out[i]);
        free(in[i]);
    }
    free(room);
    MPI_Finalize();
    return 0;
}
