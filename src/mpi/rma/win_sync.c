#include "mpi/rma/rma.h"

/* Orders the loads and stores of this process on a window's memory with those of other processes: a
 * memory barrier (§11.5.4). Also serves operations of others. In any epoch, or in none.
 * Errors: MPI_ERR_WIN. */
int PMPI_Win_sync(MPI_Win win)
{
    ENTER("MPI_Win_sync", win);
    struct adi3_win *w;

    TRY(mpir_win_arg(&call, win, &w));
    TRY(adi3_win_sync(w));
    return mpir_leave(&call);
}
MPIR_WEAK(Win_sync);
