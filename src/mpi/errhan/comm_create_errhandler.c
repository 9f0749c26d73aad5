#include "errhan.h"

/* Makes an error handler for communicators of the user's function (§8.3). That gets the handle, the
 * code, which it may change, and a string that names the failed call with its arguments, and may
 * return: then the call returns the code.
 * Errors: MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Comm_create_errhandler(MPI_Comm_errhandler_function *comm_errhandler_fn,
                                MPI_Errhandler *errhandler)
{
    ENTER("MPI_Comm_create_errhandler", comm_errhandler_fn, errhandler);
    struct mpir_errhandler_function f = { MPIR_HANDLES_COMM, { .comm = comm_errhandler_fn } };

    TRY(mpir_out_arg((const void *) (uintptr_t) comm_errhandler_fn, "comm_errhandler_fn"));
    TRY(mpir_out_arg(errhandler, "errhandler"));
    TRY(mpir_errhandler_make(f, errhandler));
    return mpir_leave(&call);
}
MPIR_WEAK(Comm_create_errhandler);
