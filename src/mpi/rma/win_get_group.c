#include "mpi/comm/comm.h"
#include "mpi/rma/rma.h"

/* Returns the group of the communicator with which the window was made (§11.2.6). The caller frees
 * it.
 * Errors: MPI_ERR_WIN, MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Win_get_group(MPI_Win win, MPI_Group *group)
{
    ENTER("MPI_Win_get_group", win, group);
    struct adi3_win *w;

    TRY(mpir_win_arg(&call, win, &w));
    TRY(mpir_out_arg(group, "group"));
    TRY(mpir_group_copy_out(w->comm->group, group));
    return mpir_leave(&call);
}
MPIR_WEAK(Win_get_group);
