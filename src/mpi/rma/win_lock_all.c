#include "mpi/rma/rma.h"

/* Begins an access epoch to the windows of all processes, with shared locks (§11.5.3). Not
 * collective: targets need not take part. assert: MPI_MODE_NOCHECK when no process has or wants an
 * exclusive lock.
 * Errors: MPI_ERR_WIN, MPI_ERR_ASSERT, MPI_ERR_RMA_SYNC. */
int PMPI_Win_lock_all(int assert, MPI_Win win)
{
    ENTER("MPI_Win_lock_all", assert, win);
    struct adi3_win *w;

    TRY(mpir_win_arg(&call, win, &w));
    TRY(mpir_assert_arg(assert, MPI_MODE_NOCHECK));
    TRY(adi3_win_lock(w, MPI_LOCK_SHARED, -1, assert));
    return mpir_leave(&call);
}
MPIR_WEAK(Win_lock_all);
