#include "mpi/errhan/errhan.h"
#include "mpi/rma/rma.h"

/* Sets the error handler of a window, in this process only (§8.3.2). The handler that was set
 * before loses a reference. A new window has MPI_ERRORS_ARE_FATAL.
 * Errors: MPI_ERR_WIN, MPI_ERR_ARG. */
int PMPI_Win_set_errhandler(MPI_Win win, MPI_Errhandler errhandler)
{
    ENTER("MPI_Win_set_errhandler", win, errhandler);
    struct adi3_win *w;

    TRY(mpir_win_arg(&call, win, &w));
    TRY(mpir_errhandler_arg(errhandler, MPIR_HANDLES_WIN));
    mpir_errhandler_attach(&w->comm->errhandler, errhandler);
    return mpir_leave(&call);
}
MPIR_WEAK(Win_set_errhandler);
