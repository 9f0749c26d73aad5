/* computing.c — F09: a nonblocking collective access goes on while no rank is in an MPI call: its
 * data is in the file before it is waited for.
 *
 * MPICH 4.0 moves it in MPI_Wait. */
#include "io.h"

enum { BLOCK = 100, BLOCKS = 20000, SECONDS = 50 };

static unsigned char value(int r, int i) { return (unsigned char) (1 + r * 37 + i % 200); }

static MPI_File open_blocks(void)
{
    MPI_File f = io_open(0);
    MPI_Datatype block, type;

    MPI_Type_contiguous(BLOCK, MPI_BYTE, &block);
    MPI_Type_create_resized(block, 0, BLOCK * size, &type);
    type = committed(type);
    OK(MPI_File_set_view(f, rank * BLOCK, MPI_BYTE, type, "native", MPI_INFO_NULL));
    MPI_Type_free(&type);
    MPI_Type_free(&block);
    return f;
}

/* Without MPI: whether the file has what all ranks write. */
static bool is_written(unsigned char *bytes)
{
    size_t len = (size_t) size * BLOCK * BLOCKS;

    if (plain_size() < (long long) len || plain_read(bytes, len, 0) != len)
        return false;
    for (size_t at = 0; at < len; at++) {
        int r = (int) (at / BLOCK) % size;
        size_t i = at / ((size_t) BLOCK * (size_t) size) * BLOCK + at % BLOCK;
        if (bytes[at] != value(r, (int) i))
            return false;
    }
    return true;
}

/* Looks at the file until it is there. */
static void compute(void)
{
    unsigned char *bytes = mpitest_memory((size_t) size * BLOCK * BLOCKS);
    double end = MPI_Wtime() + SECONDS;
    bool written = false;

    while (!written && MPI_Wtime() < end)
        written = is_written(bytes);
    CHECK(written);
    free(bytes);
}

int main(int argc, char **argv)
{
    io_init(&argc, &argv);
    MPI_File f = open_blocks();
    unsigned char *data = mpitest_memory(BLOCK * BLOCKS);
    MPI_Request r;
    MPI_Status s;

    for (int i = 0; i < BLOCK * BLOCKS; i++)
        data[i] = value(rank, i);
    MPI_Barrier(MPI_COMM_WORLD);
    OK(MPI_File_iwrite_all(f, data, BLOCK * BLOCKS, MPI_BYTE, &r));
    compute();
    OK(MPI_Wait(&r, &s));
    CHECK_INT(count_of(&s, MPI_BYTE), BLOCK * BLOCKS);
    free(data);
    io_close(&f);
    io_end();
    return 0;
}
