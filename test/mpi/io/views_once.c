/* views_once.c — filetypes whose tiles lie on each other, since the extent is less than what is in
 * them: one such tile can be written and read, in every form. PnetCDF has them: a struct with a
 * subarray in it has the bounds of the subarray alone.
 *
 * known: MPICH 4.0 reads other bytes by such a tile when its lower bound is not 0, and has another
 * end of the file. */
#include "io.h"

enum { HEADER = 64, BLOCK = 24, ROWS = 5, BYTES = HEADER + ROWS * BLOCK };

/* Bytes of this rank in the file, by the bytes of the tile. */
static long long place(int k)
{
    int row = (k - HEADER) / BLOCK;

    if (k < HEADER)
        return (long long) rank * HEADER + k;
    return (long long) size * HEADER + (long long) (row * size + rank) * BLOCK
           + (k - HEADER) % BLOCK;
}

/* A part of the header, and a column of blocks; the next tile would begin at `extent` bytes. */
static MPI_Datatype tile(MPI_Aint extent)
{
    const int start = rank * BLOCK, all = size * BLOCK;
    MPI_Datatype column, both, type;

    MPI_Type_create_subarray(2, (int[]) { ROWS, all }, (int[]) { ROWS, BLOCK },
                             (int[]) { 0, start }, MPI_ORDER_C, MPI_BYTE, &column);
    MPI_Type_create_struct(2, (int[]) { HEADER, 1 },
                           (MPI_Aint[]) { (MPI_Aint) rank * HEADER, (MPI_Aint) size * HEADER },
                           (MPI_Datatype[]) { MPI_BYTE, column }, &both);
    MPI_Type_create_resized(both, (MPI_Aint) size * HEADER, extent, &type);
    MPI_Type_free(&column);
    MPI_Type_free(&both);
    return committed(type);
}

static size_t file_bytes(void) { return (size_t) size * BYTES; }

static void write_tile(MPI_File f, bool all)
{
    unsigned char data[BYTES], *want = mpitest_memory(file_bytes());
    MPI_Status s;

    for (int k = 0; k < BYTES; k++)
        data[k] = (unsigned char) ~pattern(place(k));
    for (size_t i = 0; i < file_bytes(); i++)
        want[i] = (unsigned char) ~pattern((long long) i);
    OK((all ? MPI_File_write_at_all : MPI_File_write_at)(f, 0, data, BYTES, MPI_BYTE, &s));
    CHECK_INT(count_of(&s, MPI_BYTE), BYTES);
    io_same(want, file_bytes());
    free(want);
}

static void read_tile(MPI_File f, bool all, int from)
{
    unsigned char got[BYTES];
    MPI_Status s;

    OK((all ? MPI_File_read_at_all : MPI_File_read_at)(f, from, got, BYTES - from, MPI_BYTE, &s));
    CHECK_INT(count_of(&s, MPI_BYTE), BYTES - from);
    for (int k = from; k < BYTES; k++)
        CHECK_INT(got[k - from], pattern(place(k)));
}

/* The end of the file is the end of the tile. */
static void places(MPI_File f)
{
    MPI_Offset at = -1;

    OK(MPI_File_get_byte_offset(f, BYTES - 1, &at));
    CHECK_INT(at, place(BYTES - 1));
    OK(MPI_File_seek(f, 0, MPI_SEEK_END));
    CHECK_INT(position(f), BYTES);
}

static void one_tile(MPI_Aint extent)
{
    MPI_Datatype type = tile(extent);
    MPI_File f = io_open(file_bytes());

    for (int all = 0; all < 2; all++) {
        OK(MPI_File_set_view(f, 0, MPI_BYTE, type, "native", MPI_INFO_NULL));
        read_tile(f, all, 0);
        read_tile(f, all, HEADER - 3);
        MPI_Barrier(MPI_COMM_WORLD);
        write_tile(f, all);
        if (rank == 0)
            plain_pattern(file_bytes());
        MPI_Barrier(MPI_COMM_WORLD);
    }
    places(f);
    io_close(&f);
    MPI_Type_free(&type);
}

int main(int argc, char **argv)
{
    io_init(&argc, &argv);
    one_tile(8);
    one_tile(size * BLOCK * ROWS); /* what a struct with the subarray has */
    one_tile(0);
    io_end();
    return 0;
}
