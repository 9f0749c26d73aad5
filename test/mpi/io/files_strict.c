/* files_strict.c — F14, L06: handles that are of no file: closed ones and any other value are
 * MPI_ERR_FILE; a file that could not be opened is MPI_FILE_NULL; round trips to Fortran and back.
 *
 * known: MPICH 4.0 checks some calls only; its closed files are freed memory. */
#include "io.h"

static void refused(MPI_File f)
{
    MPI_Offset o;
    MPI_File copy = f;
    MPI_Status s;
    char c = 0;

    EXPECT(MPI_ERR_FILE, MPI_File_get_size(f, &o));
    EXPECT(MPI_ERR_FILE, MPI_File_read(f, &c, 1, MPI_CHAR, &s));
    EXPECT(MPI_ERR_FILE, MPI_File_write_at_all(f, 0, &c, 1, MPI_CHAR, &s));
    EXPECT(MPI_ERR_FILE, MPI_File_sync(f));
    EXPECT(MPI_ERR_FILE, MPI_File_close(&copy));
}

/* What open_errors leaves out because MPICH does not look. */
static void null_file(void)
{
    MPI_File f = MPI_FILE_NULL;
    MPI_Offset o;
    int n;

    refused(f);
    EXPECT(MPI_ERR_FILE, MPI_File_get_position(f, &o));
    EXPECT(MPI_ERR_FILE, MPI_File_get_byte_offset(f, 0, &o));
    EXPECT(MPI_ERR_FILE, MPI_File_get_atomicity(f, &n));
}

static void null_types(void)
{
    MPI_File f = io_open(10);

    EXPECT(MPI_ERR_TYPE,
           MPI_File_set_view(f, 0, MPI_DATATYPE_NULL, MPI_BYTE, "native", MPI_INFO_NULL));
    EXPECT(MPI_ERR_TYPE,
           MPI_File_set_view(f, 0, MPI_BYTE, MPI_DATATYPE_NULL, "native", MPI_INFO_NULL));
    io_close(&f);
}

static void stale(void)
{
    MPI_File f = io_open(10), old = f, next;
    MPI_Offset len = 0;

    OK(MPI_File_close(&f));
    refused(old);
    /* Also when another file is open since then, which still works. */
    OK(MPI_File_open(MPI_COMM_WORLD, io_path, MPI_MODE_RDWR, MPI_INFO_NULL, &next));
    if (next != old)
        refused(old);
    OK(MPI_File_get_size(next, &len));
    CHECK_INT(len, 10);
    io_close(&next);
}

static void foreign(void)
{
    const int bytes[] = { 0x11, 0x7f, 0x80, 0xff };

    for (int i = 0; i < 4; i++) {
        MPI_File f;

        memset(&f, bytes[i], sizeof f);
        refused(f);
    }
}

static void failed_open(void)
{
    MPI_File f;

    memset(&f, 0x11, sizeof f);
    io_fresh();
    EXPECT(MPI_ERR_NO_SUCH_FILE,
           MPI_File_open(MPI_COMM_WORLD, io_path, MPI_MODE_RDONLY, MPI_INFO_NULL, &f));
    CHECK(f == MPI_FILE_NULL);
}

static void fortran(void)
{
    MPI_File f = io_open(10), back;
    MPI_Offset len = 0;

    CHECK(MPI_File_f2c(MPI_File_c2f(MPI_FILE_NULL)) == MPI_FILE_NULL);
    CHECK(MPI_File_f2c(0) == MPI_FILE_NULL);
    back = MPI_File_f2c(MPI_File_c2f(f));
    CHECK(back == f && MPI_File_c2f(back) == MPI_File_c2f(f));
    OK(MPI_File_get_size(back, &len));
    CHECK_INT(len, 10);
    EXPECT(MPI_ERR_FILE, MPI_File_get_size(MPI_File_f2c(123456), &len));
    EXPECT(MPI_ERR_FILE, MPI_File_get_size(MPI_File_f2c(-7), &len));
    io_close(&f);
}

int main(int argc, char **argv)
{
    io_init(&argc, &argv);
    null_file();
    null_types();
    stale();
    foreign();
    failed_open();
    fortran();
    io_end();
    return 0;
}
