/* refused.c — E01: handlers of another kind, and freed ones, cannot be attached.
 *
 * MPICH 4.0 fails: it attaches them. */
#include "handler.h"

static void file_handler(MPI_File *file, int *code, ...) { (void) file, (void) code; }
static void win_handler(MPI_Win *win, int *code, ...) { (void) win, (void) code; }

static void check(MPI_Errhandler h, int on_comm, int on_file)
{
    MPI_Errhandler before;

    CHECK_INT(error_class(MPI_Comm_set_errhandler(MPI_COMM_SELF, h)), on_comm);
    CHECK_INT(error_class(MPI_File_set_errhandler(MPI_FILE_NULL, h)), on_file);
    MPI_Comm_get_errhandler(MPI_COMM_SELF, &before);
    CHECK((before == h) == (on_comm == MPI_SUCCESS));
    MPI_Errhandler_free(&before);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN);
}

int main(int argc, char **argv)
{
    MPI_Errhandler on_comm, on_file, on_win, stale;

    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    on_comm = stale = handler_make();
    CHECK_INT(MPI_File_create_errhandler(file_handler, &on_file), MPI_SUCCESS);
    CHECK_INT(MPI_Win_create_errhandler(win_handler, &on_win), MPI_SUCCESS);
    check(on_comm, MPI_SUCCESS, MPI_ERR_ARG);
    check(on_file, MPI_ERR_ARG, MPI_SUCCESS);
    check(on_win, MPI_ERR_ARG, MPI_ERR_ARG);
    check(MPI_ERRORS_RETURN, MPI_SUCCESS, MPI_SUCCESS);
    check(MPI_ERRHANDLER_NULL, MPI_ERR_ARG, MPI_ERR_ARG);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, on_comm);
    MPI_Errhandler_free(&on_comm);
    CHECK_INT(error_class(MPI_Errhandler_free(&stale)), MPI_ERR_ARG); /* freed, still active */
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    CHECK_INT(error_class(MPI_Errhandler_free(&stale)), MPI_ERR_ARG); /* gone */
    check(stale, MPI_ERR_ARG, MPI_ERR_ARG);
    MPI_Errhandler_free(&on_file);
    MPI_Errhandler_free(&on_win);
    CHECK_INT(handler_calls(), 0);
    MPI_Finalize();
    return 0;
}
