#include "mpi/rma/rma.h"

/* Begins an exposure epoch, in which the processes of group may access the window of this process
 * (§11.5.2). Does not wait. assert: MPI_MODE_NOCHECK when none of them has called MPI_Win_start
 * yet, and all will do so with that; MPI_MODE_NOSTORE and MPI_MODE_NOPUT have no effect. The group
 * may be freed.
 * Errors: MPI_ERR_WIN, MPI_ERR_GROUP, MPI_ERR_ASSERT, MPI_ERR_RMA_SYNC, MPI_ERR_NO_MEM. */
int PMPI_Win_post(MPI_Group group, int assert, MPI_Win win)
{
    ENTER("MPI_Win_post", group, assert, win);
    struct adi3_win *w;
    struct adi3_group *g;

    TRY(mpir_win_arg(&call, win, &w));
    TRY(mpir_group_arg(group, &g));
    TRY(mpir_assert_arg(assert, MPI_MODE_NOCHECK | MPI_MODE_NOSTORE | MPI_MODE_NOPUT));
    TRY(adi3_win_post(w, g, assert));
    return mpir_leave(&call);
}
MPIR_WEAK(Win_post);
