#include "mpi/comm/comm.h"
#include "mpi/rma/rma.h"

/* Sets the name of a window, in this process only (§6.8); error texts show it. A longer name is cut
 * to MPI_MAX_OBJECT_NAME - 1 characters.
 * Errors: MPI_ERR_WIN, MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Win_set_name(MPI_Win win, const char *win_name)
{
    ENTER("MPI_Win_set_name", win, win_name);
    struct adi3_win *w;

    TRY(mpir_win_arg(&call, win, &w));
    TRY(mpir_out_arg(win_name, "win_name"));
    TRY(mpir_comm_set_name(w->comm, win_name));
    return mpir_leave(&call);
}
MPIR_WEAK(Win_set_name);
