#include "mpi/errhan/errhan.h"

/* Frees an error handler and sets the handle to MPI_ERRHANDLER_NULL (§8.3.4). It stays active on
 * the objects that it is set on. Handles of predefined error handlers may be freed, too.
 * Errors: MPI_ERR_ARG. */
int PMPI_Errhandler_free(MPI_Errhandler *errhandler)
{
    ENTER("MPI_Errhandler_free", errhandler);

    TRY(mpir_out_arg(errhandler, "errhandler"));
    TRY(mpir_any_errhandler_arg(*errhandler));
    mpir_errhandler_user_release(*errhandler);
    *errhandler = MPI_ERRHANDLER_NULL;
    return mpir_leave(&call);
}
MPIR_WEAK(Errhandler_free);
