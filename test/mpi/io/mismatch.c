/* mismatch.c — E01, F01, F06, F07, F09: ranks that make different collective calls on a file are
 * told so, by the names of both, or that arguments differ, and the file works afterwards.
 *
 * In MPICH 4.0 they wait, or get what they have not asked for. */
#include "io.h"

static void is_named(int code, const char *first, const char *second)
{
    char text[MPI_MAX_ERROR_STRING + 1] = "";
    int len;

    CHECK(code != MPI_SUCCESS);
    MPI_Error_string(code, text, &len);
    if (!strstr(text, first) || !strstr(text, second))
        mpitest_fail(__FILE__, __LINE__, text);
}

/* A rank may have written before it learns of the mismatch: it writes what is in the file. */
static void fill(char c[8])
{
    for (int i = 0; i < 8; i++)
        c[i] = (char) pattern(i);
}

static void accesses(MPI_File f)
{
    char c[8];
    MPI_Status s;

    fill(c);
    is_named(rank == 0 ? MPI_File_write_all(f, c, 8, MPI_BYTE, &s)
                       : MPI_File_read_all(f, c, 8, MPI_BYTE, &s),
             "MPI_File_write_all", "MPI_File_read_all");
    OK(MPI_File_seek(f, 0, MPI_SEEK_SET));
    is_named(rank == 0 ? MPI_File_write_at_all(f, 0, c, 8, MPI_BYTE, &s)
                       : MPI_File_read_all(f, c, 8, MPI_BYTE, &s),
             "MPI_File_write_at_all", "MPI_File_read_all");
    OK(MPI_File_seek(f, 0, MPI_SEEK_SET));
}

/* A process may take part without an offset, as PnetCDF does where its arguments are wrong. */
static void forms_that_meet(MPI_File f)
{
    char c = (char) pattern(rank), none;
    MPI_Request r;

    OK(rank == 0 ? MPI_File_write_at_all(f, 0, &c, 1, MPI_BYTE, MPI_STATUS_IGNORE)
                 : MPI_File_write_all(f, &none, 0, MPI_BYTE, MPI_STATUS_IGNORE));
    OK(rank == 0 ? MPI_File_read_all(f, &none, 0, MPI_BYTE, MPI_STATUS_IGNORE)
                 : MPI_File_read_at_all(f, rank, &c, 1, MPI_BYTE, MPI_STATUS_IGNORE));
    CHECK_INT(c, (char) pattern(rank));
    OK(rank == 0 ? MPI_File_iread_all(f, &none, 0, MPI_BYTE, &r)
                 : MPI_File_iread_at_all(f, rank, &c, 1, MPI_BYTE, &r));
    OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
}

static void nonblocking(MPI_File f)
{
    char c[8];
    MPI_Request r;

    fill(c);
    OK(rank == 0 ? MPI_File_iwrite_all(f, c, 8, MPI_BYTE, &r)
                 : MPI_File_iread_all(f, c, 8, MPI_BYTE, &r));
    is_named(MPI_Wait(&r, MPI_STATUS_IGNORE), "MPI_File_iwrite_all", "MPI_File_iread_all");
}

/* A split form is another call than the blocking one. Its messages are others, so the file can only
 * be closed afterwards. */
static void split(void)
{
    MPI_File f = io_open(10);
    char c[8] = { 0 };
    MPI_Status s;
    int code = rank == 0 ? MPI_File_write_all_begin(f, c, 8, MPI_BYTE)
                         : MPI_File_write_all(f, c, 8, MPI_BYTE, &s);

    if (rank == 0 && code == MPI_SUCCESS)
        code = MPI_File_write_all_end(f, c, &s);
    is_named(code, "MPI_File_write_all_begin", "MPI_File_write_all");
    (void) MPI_File_close(&f);
    CHECK(f == MPI_FILE_NULL);
    io_remove();
}

static void arguments(MPI_File f)
{
    MPI_Offset at = -1;
    int on = -1;

    OK(MPI_File_seek_shared(f, 20, MPI_SEEK_SET));
    EXPECT(MPI_ERR_NOT_SAME, MPI_File_seek_shared(f, rank == 0 ? 3 : 4, MPI_SEEK_SET));
    EXPECT(MPI_ERR_NOT_SAME, MPI_File_seek_shared(f, 0, rank == 0 ? MPI_SEEK_SET : MPI_SEEK_CUR));
    OK(MPI_File_get_position_shared(f, &at));
    CHECK_INT(at, 20);
    MPI_Barrier(MPI_COMM_WORLD);
    OK(MPI_File_seek_shared(f, 0, MPI_SEEK_SET));
    EXPECT(MPI_ERR_NOT_SAME, MPI_File_set_atomicity(f, rank == 0));
    OK(MPI_File_get_atomicity(f, &on));
    CHECK_INT(on, 0);
    EXPECT(MPI_ERR_NOT_SAME, MPI_File_set_size(f, rank == 0 ? 10 : 20));
    EXPECT(MPI_ERR_NOT_SAME, MPI_File_preallocate(f, rank == 0 ? 1000 : 2000));
}

static void others(MPI_File f)
{
    is_named(rank == 0 ? MPI_File_set_size(f, 100) : MPI_File_preallocate(f, 100),
             "MPI_File_set_size", "MPI_File_preallocate");
    is_named(rank == 0 ? MPI_File_set_view(f, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL)
                       : MPI_File_set_atomicity(f, 1),
             "MPI_File_set_view", "MPI_File_set_atomicity");
    is_named(rank == 0 ? MPI_File_sync(f) : MPI_File_set_size(f, 100), "MPI_File_sync",
             "MPI_File_set_size");
}

int main(int argc, char **argv)
{
    unsigned char want[64];

    io_init(&argc, &argv);
    MPI_File f = io_open(sizeof want);
    for (int i = 0; i < (int) sizeof want; i++)
        want[i] = pattern(i);
    accesses(f);
    forms_that_meet(f);
    nonblocking(f);
    arguments(f);
    others(f);
    io_same(want, sizeof want);
    OK(MPI_File_write_ordered(f, want + rank, 1, MPI_BYTE, MPI_STATUS_IGNORE));
    io_same(want, sizeof want);
    io_close(&f);
    split();
    io_end();
    return 0;
}
