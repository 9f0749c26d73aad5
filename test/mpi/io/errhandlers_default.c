/* errhandlers_default.c — E01, F14: a file takes the handler that MPI_FILE_NULL has when it is
 * opened, and keeps it.
 *
 * known: a file of MPICH 4.0 does not count as a user of the handler that it takes. */
#include "errhandlers.h"

/* Opens and deletes that fail call the default handler; files take it over when they are opened. */
static void inherited(void)
{
    MPI_File before = io_open(10), after;
    MPI_Errhandler h;

    has_handler(MPI_FILE_NULL, MPI_ERRORS_RETURN);
    OK(MPI_File_create_errhandler(handler, &h));
    OK(MPI_File_set_errhandler(MPI_FILE_NULL, h));
    has_handler(MPI_FILE_NULL, h);
    EXPECT(MPI_ERR_NO_SUCH_FILE, open_missing());
    was_called(MPI_FILE_NULL, MPI_ERR_NO_SUCH_FILE);
    EXPECT(MPI_ERR_NO_SUCH_FILE, MPI_File_delete("/nowhere/at/all", MPI_INFO_NULL));
    was_called(MPI_FILE_NULL, MPI_ERR_NO_SUCH_FILE);
    OK(MPI_File_open(MPI_COMM_SELF, io_path, MPI_MODE_RDONLY, MPI_INFO_NULL, &after));
    has_handler(after, h);
    has_handler(before, MPI_ERRORS_RETURN);
    OK(MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN));
    MPI_Errhandler_free(&h);
    has_handler(MPI_FILE_NULL, MPI_ERRORS_RETURN);
    EXPECT(MPI_ERR_NO_SUCH_FILE, open_missing());
    CHECK_INT(calls, 0);
    EXPECT(MPI_ERR_COUNT, wrong(after));
    was_called(after, MPI_ERR_COUNT);
    EXPECT(MPI_ERR_COUNT, wrong(before));
    CHECK_INT(calls, 0);
    OK(MPI_File_close(&after));
    io_close(&before);
}

int main(int argc, char **argv)
{
    io_init(&argc, &argv);
    inherited();
    io_end();
    return 0;
}
