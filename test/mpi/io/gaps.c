/* gaps.c — F05, F12: a process writes what is between the blocks of others, through another open of
 * the file, all the while that these write their blocks: each by itself, and together. Nothing that
 * is written is undone: a library must not write back what is between its blocks as it has read it
 * before.
 *
 * MPICH 4.0 locks what it reads and writes back, but does not lock a contiguous write of a process
 * by itself. */
#include "io.h"

enum { BLOCK = 64, GAP = 64, BLOCKS = 512, ROUNDS = 60 };

static MPI_File writers; /* of all ranks but the last one; the last one writes into the gaps */
static MPI_Comm comm;
static int ranks; /* that write blocks */

static size_t turn(void) { return (size_t) (ranks * BLOCK + GAP); }

static unsigned char value(int round, int r, int block)
{
    return (unsigned char) (1 + round * 7 + r * 31 + block * 3);
}

/* Waits until the other side has come as far; both do something else meanwhile. */
static void say_done(void) { MPI_Send(NULL, 0, MPI_BYTE, size - 1, 0, MPI_COMM_WORLD); }

static int done(int so_far)
{
    int some = 0;

    MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &some, MPI_STATUS_IGNORE);
    if (some)
        MPI_Recv(NULL, 0, MPI_BYTE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return so_far + some;
}

static void write_blocks(bool together, int round)
{
    unsigned char *data = mpitest_memory(BLOCKS * BLOCK);
    MPI_Status s;

    for (int k = 0; k < BLOCKS; k++)
        memset(data + k * BLOCK, value(round, rank, k), BLOCK);
    if (together)
        OK(MPI_File_write_at_all(writers, 0, data, BLOCKS * BLOCK, MPI_BYTE, &s));
    else
        OK(MPI_File_write_at(writers, 0, data, BLOCKS * BLOCK, MPI_BYTE, &s));
    CHECK_INT(count_of(&s, MPI_BYTE), BLOCKS * BLOCK);
    free(data);
}

/* Writes gaps in turn until all others are done; each then has what was written last. */
static void write_gaps(unsigned char *last)
{
    MPI_File own;
    MPI_Status s;

    OK(MPI_File_open(MPI_COMM_SELF, io_path, MPI_MODE_RDWR, MPI_INFO_NULL, &own));
    for (int n = 0, finished = 0; finished < ranks || n < BLOCKS; n++, finished = done(finished)) {
        unsigned char gap[GAP];
        int k = n % BLOCKS;
        last[k] = (unsigned char) (1 + n / BLOCKS * 5 + k);
        memset(gap, last[k], GAP);
        OK(MPI_File_write_at(own, (MPI_Offset) ((size_t) k * turn() + turn() - GAP), gap, GAP,
                             MPI_BYTE, &s));
        CHECK_INT(count_of(&s, MPI_BYTE), GAP);
    }
    OK(MPI_File_close(&own));
}

static void set_view(void)
{
    MPI_Datatype block, type;

    MPI_Type_contiguous(BLOCK, MPI_BYTE, &block);
    MPI_Type_create_resized(block, 0, (MPI_Aint) turn(), &type);
    type = committed(type);
    OK(MPI_File_set_view(writers, (MPI_Offset) rank * BLOCK, MPI_BYTE, type, "native",
                         MPI_INFO_NULL));
    MPI_Type_free(&type);
    MPI_Type_free(&block);
}

static void both(bool together)
{
    unsigned char *want = mpitest_memory(BLOCKS * turn()), last[BLOCKS] = { 0 };

    io_fresh();
    if (rank == 0)
        plain_pattern(BLOCKS * turn());
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank < ranks) {
        OK(MPI_File_open(comm, io_path, MPI_MODE_RDWR, MPI_INFO_NULL, &writers));
        set_view();
        for (int round = 0; round < ROUNDS; round++)
            write_blocks(together, round);
        OK(MPI_File_close(&writers));
        say_done();
    } else {
        write_gaps(last);
    }
    MPI_Bcast(last, BLOCKS, MPI_BYTE, size - 1, MPI_COMM_WORLD);
    for (int k = 0; k < BLOCKS; k++) {
        unsigned char *at = want + (size_t) k * turn();
        for (int r = 0; r < ranks; r++)
            memset(at + r * BLOCK, value(ROUNDS - 1, r, k), BLOCK);
        memset(at + ranks * BLOCK, last[k], GAP);
    }
    io_same(want, BLOCKS * turn());
    io_remove();
    free(want);
}

int main(int argc, char **argv)
{
    io_init(&argc, &argv);
    ranks = size - 1;
    MPI_Comm_split(MPI_COMM_WORLD, rank == ranks, rank, &comm);
    both(false);
    both(true);
    MPI_Comm_free(&comm);
    io_end();
    return 0;
}
