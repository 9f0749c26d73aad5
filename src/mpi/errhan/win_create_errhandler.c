#include "mpi/errhan/errhan.h"

/* Creates an error handler for windows from a function of the user (§8.3). The function gets the
 * handle, the error code, which it may change, and a string that shows the failed call with its
 * arguments. When it returns, the failed call returns the code.
 * Errors: MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Win_create_errhandler(MPI_Win_errhandler_function *win_errhandler_fn,
                               MPI_Errhandler *errhandler)
{
    ENTER("MPI_Win_create_errhandler", win_errhandler_fn, errhandler);
    struct mpir_errhandler_function f = { &adi3_c, MPIR_HANDLES_WIN, { .win = win_errhandler_fn } };

    TRY(mpir_out_arg((const void *) (uintptr_t) win_errhandler_fn, "win_errhandler_fn"));
    TRY(mpir_out_arg(errhandler, "errhandler"));
    TRY(mpir_errhandler_make(f, errhandler));
    return mpir_leave(&call);
}
MPIR_WEAK(Win_create_errhandler);
