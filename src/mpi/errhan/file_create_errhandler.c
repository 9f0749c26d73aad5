#include "mpi/errhan/errhan.h"

/* Creates an error handler for files from a function of the user (§8.3). The function gets the
 * handle, the error code, which it may change, and a string that shows the failed call with its
 * arguments. When it returns, the failed call returns the code.
 * Errors: MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_File_create_errhandler(MPI_File_errhandler_function *file_errhandler_fn,
                                MPI_Errhandler *errhandler)
{
    ENTER("MPI_File_create_errhandler", file_errhandler_fn, errhandler);
    struct mpir_errhandler_function f = { &adi3_c,
                                          MPIR_HANDLES_FILE,
                                          { .file = file_errhandler_fn } };

    TRY(mpir_out_arg((const void *) (uintptr_t) file_errhandler_fn, "file_errhandler_fn"));
    TRY(mpir_out_arg(errhandler, "errhandler"));
    TRY(mpir_errhandler_make(f, errhandler));
    return mpir_leave(&call);
}
MPIR_WEAK(File_create_errhandler);
