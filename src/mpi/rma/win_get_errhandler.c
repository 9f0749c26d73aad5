#include "mpi/errhan/errhan.h"
#include "mpi/rma/rma.h"

/* Returns the error handler of a window (§8.3.2). The caller frees the handle.
 * Errors: MPI_ERR_WIN, MPI_ERR_ARG. */
int PMPI_Win_get_errhandler(MPI_Win win, MPI_Errhandler *errhandler)
{
    ENTER("MPI_Win_get_errhandler", win, errhandler);
    struct adi3_win *w;

    TRY(mpir_win_arg(&call, win, &w));
    TRY(mpir_out_arg(errhandler, "errhandler"));
    *errhandler = mpir_errhandler_user_acquire(w->comm->errhandler);
    return mpir_leave(&call);
}
MPIR_WEAK(Win_get_errhandler);
