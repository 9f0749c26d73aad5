#include "mpi/rma/rma.h"

/* Ends the access epoch of MPI_Win_lock (§11.5.3). Its operations are complete here and at the
 * target when it returns. Nothing is done for rank MPI_PROC_NULL.
 * Errors: MPI_ERR_WIN, MPI_ERR_RANK, MPI_ERR_RMA_SYNC; of operations, MPI_ERR_RMA_RANGE. */
int PMPI_Win_unlock(int rank, MPI_Win win)
{
    ENTER("MPI_Win_unlock", rank, win);
    struct adi3_win *w;

    TRY(mpir_win_arg(&call, win, &w));
    TRY(mpir_target_arg(w, rank, "rank"));
    if (rank != MPI_PROC_NULL)
        TRY(adi3_win_unlock(w, rank));
    return mpir_leave(&call);
}
MPIR_WEAK(Win_unlock);
