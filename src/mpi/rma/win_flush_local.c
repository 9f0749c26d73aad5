#include "mpi/rma/rma.h"

/* Completes all operations of this process on the window of one process in this process: buffers
 * may be used again (§11.5.4). Only in an epoch of MPI_Win_lock or MPI_Win_lock_all. Nothing is
 * done for rank MPI_PROC_NULL.
 * Errors: MPI_ERR_WIN, MPI_ERR_RANK, MPI_ERR_RMA_SYNC; of operations, MPI_ERR_RMA_RANGE. */
int PMPI_Win_flush_local(int rank, MPI_Win win)
{
    ENTER("MPI_Win_flush_local", rank, win);
    struct adi3_win *w;

    TRY(mpir_win_arg(&call, win, &w));
    TRY(mpir_target_arg(w, rank, "rank"));
    if (rank != MPI_PROC_NULL)
        TRY(adi3_win_flush(w, rank, true));
    return mpir_leave(&call);
}
MPIR_WEAK(Win_flush_local);
