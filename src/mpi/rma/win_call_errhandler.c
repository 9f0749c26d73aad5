#include "mpi/rma/rma.h"

/* Calls the error handler of a window with an error code (§8.5). Succeeds when the handler returns.
 * Errors: MPI_ERR_WIN. */
int PMPI_Win_call_errhandler(MPI_Win win, int errorcode)
{
    ENTER("MPI_Win_call_errhandler", win, errorcode);
    struct adi3_win *w;

    TRY(mpir_win_arg(&call, win, &w));
    (void) mpir_fail(call, errorcode, "win, errorcode", win, errorcode);
    return MPI_SUCCESS;
}
MPIR_WEAK(Win_call_errhandler);
