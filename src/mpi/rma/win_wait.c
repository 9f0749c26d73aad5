#include "mpi/rma/rma.h"

/* Ends the exposure epoch of MPI_Win_post: waits until all processes of its group have called
 * MPI_Win_complete (§11.5.2). Their operations are complete here when it returns.
 * Errors: MPI_ERR_WIN, MPI_ERR_RMA_SYNC; of operations, MPI_ERR_RMA_RANGE. */
int PMPI_Win_wait(MPI_Win win)
{
    ENTER("MPI_Win_wait", win);
    struct adi3_win *w;

    TRY(mpir_win_arg(&call, win, &w));
    TRY(adi3_win_wait(w));
    return mpir_leave(&call);
}
MPIR_WEAK(Win_wait);
