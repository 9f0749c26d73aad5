/* open_errors.c — F01, F02, F14: wrong access modes, reading and writing that the mode does not
 * allow, MPI_FILE_NULL, intercommunicators, arguments that differ from rank to rank. */
#include "io.h"

enum { LEN = 100 };

static void modes(void)
{
    const int wrong[] = { 0,
                          MPI_MODE_CREATE,
                          MPI_MODE_APPEND | MPI_MODE_UNIQUE_OPEN,
                          MPI_MODE_RDONLY | MPI_MODE_WRONLY,
                          MPI_MODE_RDONLY | MPI_MODE_RDWR,
                          MPI_MODE_WRONLY | MPI_MODE_RDWR,
                          MPI_MODE_WRONLY | MPI_MODE_RDWR | MPI_MODE_RDONLY,
                          MPI_MODE_RDONLY | MPI_MODE_CREATE,
                          MPI_MODE_RDONLY | MPI_MODE_EXCL,
                          MPI_MODE_RDONLY | MPI_MODE_CREATE | MPI_MODE_EXCL,
                          MPI_MODE_RDWR | MPI_MODE_SEQUENTIAL,
                          MPI_MODE_RDWR | MPI_MODE_SEQUENTIAL | MPI_MODE_CREATE };
    MPI_File f;

    io_fresh();
    for (int there = 0; there < 2; there++) {
        for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
            EXPECT(MPI_ERR_AMODE,
                   MPI_File_open(MPI_COMM_WORLD, io_path, wrong[i], MPI_INFO_NULL, &f));
            EXPECT(MPI_ERR_AMODE,
                   MPI_File_open(MPI_COMM_SELF, io_path, wrong[i], MPI_INFO_NULL, &f));
        }
        MPI_Barrier(MPI_COMM_WORLD);
        CHECK_INT(plain_size(), there ? LEN : -1); /* nothing is made or cut */
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 0)
            plain_pattern(LEN);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    io_remove();
}

/* Calls that the mode forbids fail on each rank, change nothing, and leave the file usable. */
static void forbidden(void)
{
    unsigned char want[LEN], c = 1;
    MPI_Status s;
    MPI_File f;

    for (int i = 0; i < LEN; i++)
        want[i] = pattern(i);
    io_fresh();
    if (rank == 0)
        plain_pattern(LEN);
    MPI_Barrier(MPI_COMM_WORLD);
    OK(MPI_File_open(MPI_COMM_WORLD, io_path, MPI_MODE_RDONLY, MPI_INFO_NULL, &f));
    EXPECT(MPI_ERR_READ_ONLY, MPI_File_write(f, &c, 1, MPI_BYTE, &s));
    EXPECT(MPI_ERR_READ_ONLY, MPI_File_write_at(f, 0, &c, 1, MPI_BYTE, &s));
    EXPECT(MPI_ERR_READ_ONLY, MPI_File_write_all(f, &c, 1, MPI_BYTE, &s));
    EXPECT(MPI_ERR_READ_ONLY, MPI_File_write_at_all(f, 0, &c, 1, MPI_BYTE, &s));
    OK(MPI_File_read_at_all(f, rank, &c, 1, MPI_BYTE, &s));
    CHECK_INT(c, pattern(rank));
    OK(MPI_File_close(&f));
    io_same(want, LEN);
    OK(MPI_File_open(MPI_COMM_WORLD, io_path, MPI_MODE_WRONLY, MPI_INFO_NULL, &f));
    EXPECT(MPI_ERR_ACCESS, MPI_File_read(f, &c, 1, MPI_BYTE, &s));
    EXPECT(MPI_ERR_ACCESS, MPI_File_read_at(f, 0, &c, 1, MPI_BYTE, &s));
    EXPECT(MPI_ERR_ACCESS, MPI_File_read_all(f, &c, 1, MPI_BYTE, &s));
    EXPECT(MPI_ERR_ACCESS, MPI_File_read_at_all(f, 0, &c, 1, MPI_BYTE, &s));
    c = 'w';
    OK(MPI_File_write_at_all(f, rank, &c, 1, MPI_BYTE, &s));
    OK(MPI_File_close(&f));
    memset(want, 'w', (size_t) size);
    io_same(want, LEN);
    io_remove();
}

/* What is no file: the null handle in every kind of call. */
static void null_file(void)
{
    MPI_File f = MPI_FILE_NULL;
    MPI_Request r;
    MPI_Offset o;
    MPI_Status s;
    MPI_Group g;
    MPI_Info info;
    char c = 0;
    int n;

    EXPECT(MPI_ERR_FILE, MPI_File_close(&f));
    EXPECT(MPI_ERR_FILE, MPI_File_get_size(f, &o));
    EXPECT(MPI_ERR_FILE, MPI_File_set_size(f, 0));
    EXPECT(MPI_ERR_FILE, MPI_File_preallocate(f, 0));
    EXPECT(MPI_ERR_FILE, MPI_File_get_amode(f, &n));
    EXPECT(MPI_ERR_FILE, MPI_File_get_group(f, &g));
    EXPECT(MPI_ERR_FILE, MPI_File_get_info(f, &info));
    EXPECT(MPI_ERR_FILE, MPI_File_set_info(f, MPI_INFO_NULL));
    EXPECT(MPI_ERR_FILE, MPI_File_set_view(f, 0, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL));
    EXPECT(MPI_ERR_FILE, MPI_File_read(f, &c, 1, MPI_CHAR, &s));
    EXPECT(MPI_ERR_FILE, MPI_File_write_at(f, 0, &c, 1, MPI_CHAR, &s));
    EXPECT(MPI_ERR_FILE, MPI_File_read_all(f, &c, 1, MPI_CHAR, &s));
    EXPECT(MPI_ERR_FILE, MPI_File_write_at_all(f, 0, &c, 1, MPI_CHAR, &s));
    EXPECT(MPI_ERR_FILE, MPI_File_read_shared(f, &c, 1, MPI_CHAR, &s));
    EXPECT(MPI_ERR_FILE, MPI_File_write_ordered(f, &c, 1, MPI_CHAR, &s));
    EXPECT(MPI_ERR_FILE, MPI_File_iread(f, &c, 1, MPI_CHAR, &r));
    EXPECT(MPI_ERR_FILE, MPI_File_iwrite_at(f, 0, &c, 1, MPI_CHAR, &r));
    EXPECT(MPI_ERR_FILE, MPI_File_iwrite_shared(f, &c, 1, MPI_CHAR, &r));
    EXPECT(MPI_ERR_FILE, MPI_File_read_all_begin(f, &c, 1, MPI_CHAR));
    EXPECT(MPI_ERR_FILE, MPI_File_read_all_end(f, &c, &s));
    EXPECT(MPI_ERR_FILE, MPI_File_seek(f, 0, MPI_SEEK_SET));
    EXPECT(MPI_ERR_FILE, MPI_File_seek_shared(f, 0, MPI_SEEK_SET));
    EXPECT(MPI_ERR_FILE, MPI_File_get_position_shared(f, &o));
    EXPECT(MPI_ERR_FILE, MPI_File_set_atomicity(f, 0));
}

/* Arguments of an open file, each wrong in one place. */
static void arguments(void)
{
    MPI_File f = io_open(LEN);
    MPI_Status s;
    char c = 0;

    EXPECT(MPI_ERR_COUNT, MPI_File_read(f, &c, -1, MPI_BYTE, &s));
    EXPECT(MPI_ERR_COUNT, MPI_File_write_at(f, 0, &c, -1, MPI_BYTE, &s));
    EXPECT(MPI_ERR_TYPE, MPI_File_read(f, &c, 1, MPI_DATATYPE_NULL, &s));
    EXPECT(MPI_ERR_TYPE, MPI_File_write(f, &c, 1, MPI_DATATYPE_NULL, &s));
    EXPECT(MPI_ERR_ARG, MPI_File_read_at(f, -1, &c, 1, MPI_BYTE, &s));
    EXPECT(MPI_ERR_ARG, MPI_File_write_at(f, -5, &c, 1, MPI_BYTE, &s));
    EXPECT(MPI_ERR_ARG, MPI_File_seek(f, 0, 12345));
    EXPECT(MPI_ERR_ARG, MPI_File_seek(f, -1, MPI_SEEK_SET));
    CHECK_INT(position(f), 0);
    EXPECT(MPI_ERR_ARG, MPI_File_seek(f, -1, MPI_SEEK_CUR));
    EXPECT(MPI_ERR_ARG, MPI_File_seek(f, -LEN - 1, MPI_SEEK_END));
    CHECK_INT(position(f), 0);
    EXPECT(MPI_ERR_ARG, MPI_File_set_size(f, -1));
    EXPECT(MPI_ERR_ARG, MPI_File_preallocate(f, -1));
    EXPECT(MPI_ERR_ARG, MPI_File_set_view(f, -1, MPI_BYTE, MPI_BYTE, "native", MPI_INFO_NULL));
    OK(MPI_File_read_at_all(f, 7, &c, 1, MPI_BYTE, &s));
    CHECK_INT((unsigned char) c, pattern(7));
    CHECK_INT(plain_size(), LEN);
    io_close(&f);
}

/* Every rank learns that the modes differ. */
static void not_same(void)
{
    MPI_File f;

    if (size == 1)
        return;
    io_fresh();
    EXPECT(MPI_ERR_NOT_SAME,
           MPI_File_open(MPI_COMM_WORLD, io_path,
                         MPI_MODE_CREATE | (rank ? MPI_MODE_WRONLY : MPI_MODE_RDWR), MPI_INFO_NULL,
                         &f));
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        unlink(io_path);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void wrong_comms(void)
{
    MPI_Comm half, inter;
    MPI_File f;

    io_fresh();
    if (size > 1) {
        MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
        MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 0, &inter);
        MPI_Comm_set_errhandler(inter, MPI_ERRORS_RETURN);
        EXPECT(MPI_ERR_COMM,
               MPI_File_open(inter, io_path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &f));
        MPI_Comm_free(&inter);
        MPI_Comm_free(&half);
    }
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    EXPECT(MPI_ERR_COMM, MPI_File_open(MPI_COMM_NULL, io_path, MPI_MODE_CREATE | MPI_MODE_RDWR,
                                       MPI_INFO_NULL, &f));
    MPI_Barrier(MPI_COMM_WORLD);
    CHECK_INT(plain_size(), -1);
}

int main(int argc, char **argv)
{
    io_init(&argc, &argv);
    modes();
    forbidden();
    null_file();
    arguments();
    not_same();
    wrong_comms();
    io_end();
    return 0;
}
