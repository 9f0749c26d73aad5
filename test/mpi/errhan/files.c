/* files.c — E02, E04: MPI_FILE_NULL has the default error handler of files, which is
 * MPI_ERRORS_RETURN at first. */
#include "handler.h"

static int calls, class;
static MPI_File seen;

static void file_handler(MPI_File *file, int *code, ...)
{
    calls++;
    seen = *file;
    class = error_class(*code);
}

int main(int argc, char **argv)
{
    MPI_Errhandler h, got;

    MPI_Init(&argc, &argv);
    CHECK_INT(MPI_File_get_errhandler(MPI_FILE_NULL, &got), MPI_SUCCESS);
    CHECK(got == MPI_ERRORS_RETURN);
    CHECK_INT(MPI_File_call_errhandler(MPI_FILE_NULL, MPI_ERR_IO), MPI_SUCCESS);
    CHECK_INT(MPI_File_create_errhandler(file_handler, &h), MPI_SUCCESS);
    CHECK_INT(MPI_File_set_errhandler(MPI_FILE_NULL, h), MPI_SUCCESS);
    CHECK_INT(MPI_File_get_errhandler(MPI_FILE_NULL, &got), MPI_SUCCESS);
    CHECK(got == h);
    MPI_Errhandler_free(&got);
    MPI_Errhandler_free(&h);
    CHECK_INT(MPI_File_call_errhandler(MPI_FILE_NULL, MPI_ERR_IO), MPI_SUCCESS);
    CHECK_INT(calls, 1);
    CHECK(seen == MPI_FILE_NULL);
    CHECK_INT(class, MPI_ERR_IO);
    CHECK_INT(MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_ARE_FATAL), MPI_SUCCESS);
    CHECK_INT(MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN), MPI_SUCCESS);
    MPI_Finalize();
    return 0;
}
