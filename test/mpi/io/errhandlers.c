/* errhandlers.c — E01, E04, F14: files return errors at first, and so does MPI_FILE_NULL, which
 * stands for opens and deletes that fail; handlers are called with the file and the code, changed,
 * freed while attached; MPI_File_call_errhandler. */
#include "errhandlers.h"

static void attached(void)
{
    MPI_File f = io_open(10), second;
    MPI_Errhandler h;

    OK(MPI_File_open(MPI_COMM_SELF, io_path, MPI_MODE_RDONLY, MPI_INFO_NULL, &second));
    has_handler(f, MPI_ERRORS_RETURN);
    OK(MPI_File_create_errhandler(handler, &h));
    OK(MPI_File_set_errhandler(f, h));
    has_handler(f, h);
    has_handler(second, MPI_ERRORS_RETURN);
    OK(MPI_File_set_errhandler(second, h));
    MPI_Errhandler_free(&h);
    CHECK(h == MPI_ERRHANDLER_NULL);
    EXPECT(MPI_ERR_COUNT, wrong(f));
    was_called(f, MPI_ERR_COUNT);
    EXPECT(MPI_ERR_COUNT, wrong(second));
    was_called(second, MPI_ERR_COUNT);
    EXPECT(MPI_ERR_NO_SUCH_FILE, open_missing()); /* is of MPI_FILE_NULL */
    CHECK_INT(calls, 0);
    changes = MPI_ERR_OTHER;
    CHECK_INT(wrong(f), MPI_ERR_OTHER);
    was_called(f, MPI_ERR_COUNT);
    changes = 0;
    OK(MPI_File_set_errhandler(f, MPI_ERRORS_RETURN));
    EXPECT(MPI_ERR_COUNT, wrong(f));
    CHECK_INT(calls, 0);
    OK(MPI_File_close(&second));
    io_close(&f);
}

static void comm_handler(MPI_Comm *comm, int *code, ...) { (void) comm, (void) code; }

/* A handler of another kind of object is refused, and the old one stays. */
static void other_kind(void)
{
    MPI_File f = io_open(10);
    MPI_Errhandler own, other;

    OK(MPI_File_create_errhandler(handler, &own));
    MPI_Comm_create_errhandler(comm_handler, &other);
    OK(MPI_File_set_errhandler(f, own));
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN); /* MPICH 4.0 calls this one */
    CHECK(MPI_File_set_errhandler(f, other) != MPI_SUCCESS);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    calls = 0;
    has_handler(f, own);
    EXPECT(MPI_ERR_COUNT, wrong(f));
    was_called(f, MPI_ERR_COUNT);
    MPI_Errhandler_free(&own);
    MPI_Errhandler_free(&other);
    io_close(&f);
}

/* E04 */
static void call(void)
{
    MPI_File f = io_open(10);
    MPI_Errhandler h;
    int class, code;

    MPI_Add_error_class(&class);
    MPI_Add_error_code(class, &code);
    OK(MPI_File_call_errhandler(f, code)); /* returns, as the handler does */
    OK(MPI_File_create_errhandler(handler, &h));
    OK(MPI_File_set_errhandler(f, h));
    OK(MPI_File_call_errhandler(f, code));
    was_called(f, class);
    OK(MPI_File_call_errhandler(f, MPI_ERR_IO));
    was_called(f, MPI_ERR_IO);
    MPI_Errhandler_free(&h);
    io_close(&f);
}

/* The handler of failed opens and deletes is that of MPI_FILE_NULL. */
static void defaults(void)
{
    MPI_Errhandler h;

    has_handler(MPI_FILE_NULL, MPI_ERRORS_RETURN);
    OK(MPI_File_create_errhandler(handler, &h));
    OK(MPI_File_set_errhandler(MPI_FILE_NULL, h));
    has_handler(MPI_FILE_NULL, h);
    EXPECT(MPI_ERR_NO_SUCH_FILE, open_missing());
    was_called(MPI_FILE_NULL, MPI_ERR_NO_SUCH_FILE);
    EXPECT(MPI_ERR_NO_SUCH_FILE, MPI_File_delete("/nowhere/at/all", MPI_INFO_NULL));
    was_called(MPI_FILE_NULL, MPI_ERR_NO_SUCH_FILE);
    OK(MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN));
    MPI_Errhandler_free(&h);
    has_handler(MPI_FILE_NULL, MPI_ERRORS_RETURN);
    EXPECT(MPI_ERR_NO_SUCH_FILE, open_missing());
    CHECK_INT(calls, 0);
}

int main(int argc, char **argv)
{
    io_init(&argc, &argv);
    attached();
    other_kind();
    call();
    defaults();
    io_end();
    return 0;
}
