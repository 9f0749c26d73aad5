#include "mpi/rma/rma.h"

/* Completes all operations of this process on a window in this process: buffers may be used again
 * (§11.5.4). Only in an epoch of MPI_Win_lock or MPI_Win_lock_all.
 * Errors: MPI_ERR_WIN, MPI_ERR_RMA_SYNC; of operations, MPI_ERR_RMA_RANGE. */
int PMPI_Win_flush_local_all(MPI_Win win)
{
    ENTER("MPI_Win_flush_local_all", win);
    struct adi3_win *w;

    TRY(mpir_win_arg(&call, win, &w));
    TRY(adi3_win_flush(w, -1, true));
    return mpir_leave(&call);
}
MPIR_WEAK(Win_flush_local_all);
