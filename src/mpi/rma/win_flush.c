#include <stdatomic.h>
#include "mpi/rma/rma.h"

__attribute__((noinline)) static int flush_slow_path(int rank, MPI_Win win)
{
    ENTER("MPI_Win_flush", rank, win);
    struct adi3_win *w;

    TRY(mpir_win_arg(&call, win, &w));
    TRY(mpir_target_arg(w, rank, "rank"));
    if (rank != MPI_PROC_NULL)
        TRY(adi3_win_flush(w, rank, false));
    return mpir_leave(&call);
}

/* Completes all operations of this process on the window of one process, here and there, in an
 * epoch of MPI_Win_lock or MPI_Win_lock_all (§11.5.4). Nothing is done for rank MPI_PROC_NULL.
 * Errors: MPI_ERR_WIN, MPI_ERR_RANK, MPI_ERR_RMA_SYNC; of operations, MPI_ERR_RMA_RANGE. */
int PMPI_Win_flush(int rank, MPI_Win win)
{
    const struct adi3_win *w = mpir_quick_win(MPIR_NAME("MPI_Win_flush"), win);

    if (w && adi3_win_flushed(w, rank)) {
        atomic_thread_fence(memory_order_seq_cst);
        adi3_win_polled(w);
        return mpir_leave_quickly();
    }
    return flush_slow_path(rank, win);
}
MPIR_WEAK(Win_flush);
