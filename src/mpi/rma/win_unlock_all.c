#include "mpi/rma/rma.h"

/* Ends the access epoch of MPI_Win_lock_all (§11.5.3). Its operations are complete here and at
 * their targets when it returns.
 * Errors: MPI_ERR_WIN, MPI_ERR_RMA_SYNC; of operations, MPI_ERR_RMA_RANGE. */
int PMPI_Win_unlock_all(MPI_Win win)
{
    ENTER("MPI_Win_unlock_all", win);
    struct adi3_win *w;

    TRY(mpir_win_arg(&call, win, &w));
    TRY(adi3_win_unlock(w, -1));
    return mpir_leave(&call);
}
MPIR_WEAK(Win_unlock_all);
