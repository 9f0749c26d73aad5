/* close_errors.c — E01, F01: a file that cannot be deleted when it is closed. The error is of the
 * handler of the file, and every rank has it.
 *
 * MPICH 4.0 does not tell of it. */
#include "errhandlers.h"

/* An error of MPI_File_close is of the handler of the file, not of that of MPI_FILE_NULL; every
 * rank has it, and the file is closed. */
static void closing(void)
{
    const int mode = MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE;
    MPI_Errhandler h;
    MPI_File f;

    io_fresh();
    OK(MPI_File_open(MPI_COMM_WORLD, io_path, mode, MPI_INFO_NULL, &f));
    OK(MPI_File_create_errhandler(handler, &h));
    OK(MPI_File_set_errhandler(f, h));
    MPI_Errhandler_free(&h);
    if (rank == 0)
        CHECK(unlink(io_path) == 0);
    EXPECT(MPI_ERR_NO_SUCH_FILE, MPI_File_close(&f));
    CHECK(f == MPI_FILE_NULL);
    CHECK_INT(calls, 1);
    CHECK_INT(seen_class, MPI_ERR_NO_SUCH_FILE);
    calls = 0;
    OK(MPI_File_create_errhandler(handler, &h));
    OK(MPI_File_set_errhandler(MPI_FILE_NULL, h));
    OK(MPI_File_open(MPI_COMM_WORLD, io_path, mode, MPI_INFO_NULL, &f));
    OK(MPI_File_set_errhandler(f, MPI_ERRORS_RETURN));
    MPI_Errhandler_free(&h);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        CHECK(unlink(io_path) == 0);
    EXPECT(MPI_ERR_NO_SUCH_FILE, MPI_File_close(&f));
    CHECK_INT(calls, 0);
    OK(MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN));
}

int main(int argc, char **argv)
{
    io_init(&argc, &argv);
    closing();
    io_end();
    return 0;
}
