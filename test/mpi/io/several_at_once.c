/* several_at_once.c — F09, F12: nonblocking collective accesses to one file. A process that starts
 * one waits for no other; several are under way at a time, and are waited for in any order; their
 * types may be freed and their status counts what was moved.
 *
 * MPICH 4.0 does not keep the types of an access that goes on. */
#include "forms.h"

enum { BLOCK = 24, BLOCKS = 700, ACCESSES = 5, BYTES = BLOCK * BLOCKS };

static unsigned char value(int r, int access, int i)
{
    return (unsigned char) (r * 37 + access * 11 + i % 251);
}

/* Blocks of the ranks in turn, with a gap behind them. */
static MPI_File open_blocks(void)
{
    int turn = size * BLOCK + 8;
    MPI_File f = io_open((size_t) turn * BLOCKS * ACCESSES);
    MPI_Datatype block, type;

    MPI_Type_contiguous(BLOCK, MPI_BYTE, &block);
    MPI_Type_create_resized(block, 0, turn, &type);
    type = committed(type);
    OK(MPI_File_set_view(f, rank * BLOCK, MPI_BYTE, type, "native", MPI_INFO_NULL));
    MPI_Type_free(&type);
    MPI_Type_free(&block);
    return f;
}

static MPI_Datatype every_second(void)
{
    MPI_Datatype t;

    MPI_Type_vector(BYTES, 1, 2, MPI_BYTE, &t);
    return committed(t);
}

static void start_all(MPI_File f, bool writes, unsigned char (*data)[2 * BYTES], MPI_Request *r)
{
    for (int k = 0; k < ACCESSES; k++) {
        MPI_Datatype t = every_second();
        for (int i = 0; i < 2 * BYTES; i++)
            data[k][i] = writes && i % 2 == 0 ? value(rank, k, i / 2) : 0x5a;
        start(f, &(struct request_of) { writes, k % 2 ? IAT_ALL : IALL, k * BYTES, data[k], 1, t },
              &r[k]);
        if (k % 2) /* the pointer has not moved */
            OK(MPI_File_seek(f, BYTES, MPI_SEEK_CUR));
        MPI_Type_free(&t);
    }
}

/* Each rank waits in another order. */
static void wait_all(MPI_Request *r)
{
    MPI_Status s;

    for (int k = 0; k < ACCESSES; k++) {
        OK(MPI_Wait(&r[(k * 2 + rank) % ACCESSES], &s));
        CHECK_INT(count_of(&s, MPI_BYTE), BYTES);
    }
}

static void many(void)
{
    static unsigned char data[ACCESSES][2 * BYTES];
    MPI_Request r[ACCESSES];
    MPI_File f = open_blocks();

    start_all(f, true, data, r);
    wait_all(r);
    settle(f);
    OK(MPI_File_seek(f, 0, MPI_SEEK_SET));
    start_all(f, false, data, r);
    wait_all(r);
    for (int k = 0; k < ACCESSES; k++)
        for (int i = 0; i < 2 * BYTES; i++)
            CHECK_INT(data[k][i], i % 2 ? 0x5a : value(rank, k, i / 2));
    io_close(&f);
}

/* The last rank starts its part when it has heard that all others have started theirs. */
static void waits_for_nobody(void)
{
    static unsigned char data[BYTES];
    MPI_Request r;
    MPI_File f = open_blocks();
    MPI_Status s;

    for (int i = 0; i < BYTES; i++)
        data[i] = value(rank, 0, i);
    for (int other = 0; rank == size - 1 && other < size - 1; other++)
        MPI_Recv(NULL, 0, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    OK(MPI_File_iwrite_all(f, data, BYTES, MPI_BYTE, &r));
    if (rank < size - 1)
        MPI_Send(NULL, 0, MPI_INT, size - 1, 0, MPI_COMM_WORLD);
    OK(MPI_Wait(&r, &s));
    CHECK_INT(count_of(&s, MPI_BYTE), BYTES);
    io_close(&f);
}

int main(int argc, char **argv)
{
    io_init(&argc, &argv);
    many();
    waits_for_nobody();
    io_end();
    return 0;
}
