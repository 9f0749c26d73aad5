#include "mpi/rma/rma.h"

/* Ends the access epoch of MPI_Win_start (§11.5.2). All its operations are complete in this process
 * when it returns; at their targets they are when MPI_Win_wait returns there.
 * Errors: MPI_ERR_WIN, MPI_ERR_RMA_SYNC; of operations, MPI_ERR_RMA_RANGE. */
int PMPI_Win_complete(MPI_Win win)
{
    ENTER("MPI_Win_complete", win);
    struct adi3_win *w;

    TRY(mpir_win_arg(&call, win, &w));
    TRY(adi3_win_complete(w));
    return mpir_leave(&call);
}
MPIR_WEAK(Win_complete);
