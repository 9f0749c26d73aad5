#include "mpi/errhan/errhan.h"

/* Creates an error handler for communicators (§15.2). The removed name of
 * MPI_Comm_create_errhandler.
 * Errors: as MPI_Comm_create_errhandler. */
int PMPI_Errhandler_create(MPI_Comm_errhandler_function *comm_errhandler_fn,
                           MPI_Errhandler *errhandler)
{
    ENTER("MPI_Errhandler_create", comm_errhandler_fn, errhandler);
    struct mpir_errhandler_function f = { &adi3_c,
                                          MPIR_HANDLES_COMM,
                                          { .comm = comm_errhandler_fn } };

    TRY(mpir_out_arg((const void *) (uintptr_t) comm_errhandler_fn, "comm_errhandler_fn"));
    TRY(mpir_out_arg(errhandler, "errhandler"));
    TRY(mpir_errhandler_make(f, errhandler));
    return mpir_leave(&call);
}
MPIR_WEAK(Errhandler_create);
