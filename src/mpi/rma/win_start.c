#include "mpi/rma/rma.h"

/* Begins an access epoch to the windows of the processes in group (§11.5.2). May return before they
 * have called MPI_Win_post; then operations wait for that. assert: MPI_MODE_NOCHECK when all of
 * them have called it already, with the same assertion. The group may be freed.
 * Errors: MPI_ERR_WIN, MPI_ERR_GROUP, MPI_ERR_ASSERT, MPI_ERR_RMA_SYNC, MPI_ERR_NO_MEM. */
int PMPI_Win_start(MPI_Group group, int assert, MPI_Win win)
{
    ENTER("MPI_Win_start", group, assert, win);
    struct adi3_win *w;
    struct adi3_group *g;

    TRY(mpir_win_arg(&call, win, &w));
    TRY(mpir_group_arg(group, &g));
    TRY(mpir_assert_arg(assert, MPI_MODE_NOCHECK));
    TRY(adi3_win_start(w, g, assert));
    return mpir_leave(&call);
}
MPIR_WEAK(Win_start);
