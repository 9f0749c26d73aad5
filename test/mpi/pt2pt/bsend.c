/* bsend.c — P13, P12: a buffer of Pack_size plus MPI_BSEND_OVERHEAD per message is always enough,
 * wherever it begins; detach waits until it is empty. */
#include "buffered.h"
#include "comms.h"

static const int lengths[] = { 0, 1, 7, 3000, 70001, 0, 300000, 63, 5 };
enum { N = sizeof lengths / sizeof *lengths, LONGEST = 300000, ROOM = 1 << 20 };

static unsigned char *out, *in, *room;

/* All messages are sent before any is received. */
static void exactly(MPI_Comm comm, int offset)
{
    int rank, size, total = 0;

    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    int next = (rank + 1) % size, previous = (rank + size - 1) % size;
    for (int i = 0; i < N; i++)
        total += buffered_need(lengths[i], MPI_BYTE);
    CHECK(total + offset < ROOM);
    CHECK_INT(MPI_Buffer_attach(room + offset, total), MPI_SUCCESS);
    for (int i = 0; i < N; i++) {
        enum buffered_way way = (enum buffered_way)((i + offset) % BUFFERED_WAYS);

        pattern_fill(out, (size_t) lengths[i], (unsigned) (rank * N + i));
        CHECK_INT(buffered_send(way, out, lengths[i], MPI_BYTE, next, i % 4, comm), MPI_SUCCESS);
        pattern_freshen(out, (size_t) lengths[i]); /* the buffer belongs to the program again */
    }
    MPI_Barrier(comm);
    for (int i = 0; i < N; i++) {
        MPI_Status status;
        int count;

        MPI_Recv(in, LONGEST, MPI_BYTE, previous, i % 4, comm, &status);
        MPI_Get_count(&status, MPI_BYTE, &count);
        CHECK_INT(count, lengths[i]);
        CHECK_PATTERN(in, (size_t) count, (unsigned) (previous * N + i));
    }
    buffered_detach(room + offset, total);
    CHECK_FRESH(room + offset + total, 64); /* the memory behind the buffer is not the library's */
    pattern_freshen(room, ROOM);
}

static void unaligned(MPI_Comm comm)
{
    for (int offset = 0; offset < 16; offset += 3)
        exactly(comm, offset);
}

/* A vector and a struct with holes also need no more than MPI_Pack_size says. */
static void derived(MPI_Comm comm)
{
    struct pair {
        char c;
        double d;
    } give[50], take[50];
    MPI_Datatype vector, pair;
    int rank, size, total;
    double columns[300], packed[100];

    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    MPI_Type_vector(100, 1, 3, MPI_DOUBLE, &vector);
    MPI_Type_create_struct(2, (int[]) { 1, 1 },
                           (MPI_Aint[]) { offsetof(struct pair, c), offsetof(struct pair, d) },
                           (MPI_Datatype[]) { MPI_CHAR, MPI_DOUBLE }, &pair);
    MPI_Type_commit(&vector);
    MPI_Type_commit(&pair);
    for (int i = 0; i < 300; i++)
        columns[i] = rank * 1000 + i;
    for (int i = 0; i < 50; i++) {
        give[i].c = (char) i;
        give[i].d = rank + i;
    }
    total = buffered_need(1, vector) + buffered_need(50, pair);
    MPI_Buffer_attach(room + 5, total);
    CHECK_INT(MPI_Bsend(columns, 1, vector, (rank + 1) % size, 1, comm), MPI_SUCCESS);
    CHECK_INT(MPI_Bsend(give, 50, pair, (rank + 1) % size, 2, comm), MPI_SUCCESS);
    MPI_Type_free(&vector);
    memset(columns, 0, sizeof columns);
    memset(give, 0, sizeof give);

    int previous = (rank + size - 1) % size;
    MPI_Recv(take, 50, pair, previous, 2, comm, MPI_STATUS_IGNORE);
    MPI_Recv(packed, 100, MPI_DOUBLE, previous, 1, comm, MPI_STATUS_IGNORE);
    for (int i = 0; i < 100; i++)
        CHECK(packed[i] == previous * 1000 + i * 3);
    for (int i = 0; i < 50; i++)
        CHECK(take[i].c == i && take[i].d == previous + i);
    MPI_Type_free(&pair);
    buffered_detach(room + 5, total);
}

/* Buffered messages keep their order among plain ones of all lengths (P01). */
static void in_order(MPI_Comm comm)
{
    int rank, size;
    MPI_Request request;

    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    MPI_Buffer_attach(room, ROOM);
    pattern_fill(out, LONGEST, 1);
    MPI_Bsend(out, LONGEST, MPI_BYTE, (rank + 1) % size, 3, comm);
    MPI_Isend(out, 10, MPI_BYTE, (rank + 1) % size, 3, comm, &request);
    MPI_Bsend(out, 20, MPI_BYTE, (rank + 1) % size, 3, comm);
    for (int i = 0; i < 3; i++) {
        MPI_Status status;
        int count;

        MPI_Recv(in, LONGEST, MPI_BYTE, MPI_ANY_SOURCE, 3, comm, &status);
        MPI_Get_count(&status, MPI_BYTE, &count);
        CHECK_INT(count, i == 0 ? LONGEST : i * 10);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    buffered_detach(room, ROOM);
}

/* A long message that is received only later: when detach returns, the buffer may be destroyed. */
static void detach_waits(MPI_Comm comm)
{
    int rank, size, total = buffered_need(LONGEST, MPI_BYTE);
    MPI_Request request;

    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    for (int i = 0; i < 3; i++) { /* attached again, the same buffer and another */
        unsigned char *at = room + i / 2 * 101;

        MPI_Buffer_attach(at, total);
        pattern_fill(out, LONGEST, (unsigned) (rank + i));
        MPI_Irecv(in, LONGEST, MPI_BYTE, (rank + size - 1) % size, i, comm, &request);
        MPI_Bsend(out, LONGEST, MPI_BYTE, (rank + 1) % size, i, comm);
        buffered_detach(at, total);
        memset(at, 0xee, (size_t) total);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        CHECK_PATTERN(in, LONGEST, (unsigned) ((rank + size - 1) % size + i));
    }
    pattern_freshen(room, ROOM);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    out = mpitest_memory(LONGEST);
    in = mpitest_memory(LONGEST);
    room = mpitest_memory(ROOM);
    comms_each(unaligned);
    comms_each(derived);
    comms_each(in_order);
    comms_each(detach_waits);
    free(out);
    free(in);
    free(room);
    MPI_Finalize();
    return 0;
}
