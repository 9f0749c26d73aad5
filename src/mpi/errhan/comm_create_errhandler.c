#include "mpi/errhan/errhan.h"

/* Creates an error handler for communicators from a function of the user (§8.3). The function gets
 * the handle, the error code, which it may change, and a string that shows the failed call with its
 * arguments. When it returns, the failed call returns the code. It runs in the thread whose call
 * failed.
 * Errors: MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Comm_create_errhandler(MPI_Comm_errhandler_function *comm_errhandler_fn,
                                MPI_Errhandler *errhandler)
{
    ENTER("MPI_Comm_create_errhandler", comm_errhandler_fn, errhandler);
    struct mpir_errhandler_function f = { &adi3_c,
                                          MPIR_HANDLES_COMM,
                                          { .comm = comm_errhandler_fn } };

    TRY(mpir_out_arg((const void *) (uintptr_t) comm_errhandler_fn, "comm_errhandler_fn"));
    TRY(mpir_out_arg(errhandler, "errhandler"));
    TRY(mpir_errhandler_make(f, errhandler));
    return mpir_leave(&call);
}
MPIR_WEAK(Comm_create_errhandler);
