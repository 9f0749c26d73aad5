/* one_wrong.c — F14, E01: a collective call with a wrong argument on one rank fails on all; no rank
 * waits for ever, and the next call works. Ranks with right arguments may have moved their data, so
 * they write what is in the file.
 *
 * In MPICH 4.0 the other ranks wait. */
#include "io.h"

enum { LEN = 64 };

static void fill(char c[LEN])
{
    for (int i = 0; i < LEN; i++)
        c[i] = (char) pattern(i);
}

static void reads_and_writes(MPI_File f, int wrong)
{
    int n = rank == wrong ? -1 : LEN;
    char c[LEN];
    MPI_Status s;

    fill(c);
    CHECK(MPI_File_write_all(f, c, n, MPI_BYTE, &s) != MPI_SUCCESS);
    CHECK_INT(position(f), rank == wrong ? 0 : count_of(&s, MPI_BYTE));
    OK(MPI_File_seek(f, 0, MPI_SEEK_SET));
    CHECK(MPI_File_read_all(f, c, n, MPI_BYTE, &s) != MPI_SUCCESS);
    CHECK_INT(position(f), rank == wrong ? 0 : count_of(&s, MPI_BYTE));
    OK(MPI_File_seek(f, 0, MPI_SEEK_SET));
    CHECK(MPI_File_write_at_all(f, rank == wrong ? -1 : rank, c + rank, 1, MPI_BYTE, &s)
          != MPI_SUCCESS);
    CHECK(MPI_File_write_ordered(f, c, n, MPI_BYTE, &s) != MPI_SUCCESS);
    EXPECT(MPI_ERR_COUNT, MPI_File_read_ordered(f, c, n, MPI_BYTE, &s));
    CHECK_INT(position(f), 0);
}

/* Ranks with right arguments get a request, which ends in the error. */
static void nonblocking(MPI_File f, int wrong)
{
    char c[LEN];
    MPI_Request r = MPI_REQUEST_NULL;

    fill(c);
    for (int writes = 0; writes < 2; writes++) {
        int n = rank == wrong ? -1 : LEN;
        int code = writes ? MPI_File_iwrite_at_all(f, 0, c, n, MPI_BYTE, &r)
                          : MPI_File_iread_at_all(f, 0, c, n, MPI_BYTE, &r);
        if (rank == wrong)
            EXPECT(MPI_ERR_COUNT, code);
        else {
            OK(code);
            EXPECT(MPI_ERR_COUNT, MPI_Wait(&r, MPI_STATUS_IGNORE));
        }
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void others(MPI_File f, int wrong)
{
    MPI_Datatype type = rank == wrong ? MPI_DATATYPE_NULL : MPI_BYTE;

    CHECK(MPI_File_set_size(f, rank == wrong ? -1 : LEN) != MPI_SUCCESS);
    CHECK(MPI_File_preallocate(f, rank == wrong ? -1 : LEN) != MPI_SUCCESS);
    CHECK(MPI_File_seek_shared(f, 0, rank == wrong ? 12345 : MPI_SEEK_SET) != MPI_SUCCESS);
    CHECK(MPI_File_set_view(f, 0, type, MPI_BYTE, "native", MPI_INFO_NULL) != MPI_SUCCESS);
    CHECK(MPI_File_set_view(f, 0, MPI_BYTE, MPI_BYTE, rank == wrong ? "x" : "native", MPI_INFO_NULL)
          != MPI_SUCCESS);
}

static void opening(int wrong)
{
    MPI_File f;
    char path[400];

    snprintf(path, sizeof path, "%s%s", io_path, rank == wrong ? "/none" : "");
    CHECK(MPI_File_open(MPI_COMM_WORLD, rank == wrong ? path : io_path, MPI_MODE_RDONLY,
                        MPI_INFO_NULL, &f)
          != MPI_SUCCESS);
    CHECK(MPI_File_open(MPI_COMM_WORLD, io_path, rank == wrong ? MPI_MODE_CREATE : MPI_MODE_RDONLY,
                        MPI_INFO_NULL, &f)
          != MPI_SUCCESS);
}

int main(int argc, char **argv)
{
    unsigned char want[LEN];

    io_init(&argc, &argv);
    for (int i = 0; i < LEN; i++)
        want[i] = pattern(i);
    for (int wrong = 0; wrong < size; wrong++) {
        MPI_File f = io_open(LEN);
        reads_and_writes(f, wrong);
        nonblocking(f, wrong);
        others(f, wrong);
        opening(wrong);
        io_same(want, LEN);
        OK(MPI_File_write_ordered(f, want + rank, 1, MPI_BYTE, MPI_STATUS_IGNORE));
        io_same(want, LEN);
        io_close(&f);
    }
    io_end();
    return 0;
}
