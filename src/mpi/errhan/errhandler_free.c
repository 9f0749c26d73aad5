#include "errhan.h"

/* Gives up a handle of an error handler and sets it to MPI_ERRHANDLER_NULL; where it is attached it
 * stays active (§8.3.4). Handles of predefined ones may be given up, too.
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
