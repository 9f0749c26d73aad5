#include "mpi/rma/rma.h"

static int exposure_test(struct adi3_win *w, int *flag)
{
    bool done = false;
    int err = adi3_win_test(w, &done);

    if (!err)
        *flag = done;
    return err;
}

/* Does what MPI_Win_wait does if that would return at once, and sets flag; else sets flag to false
 * (§11.5.2). After flag was true the epoch has ended.
 * Errors: MPI_ERR_WIN, MPI_ERR_ARG, MPI_ERR_RMA_SYNC. */
int PMPI_Win_test(MPI_Win win, int *flag)
{
    ENTER("MPI_Win_test", win, flag);
    struct adi3_win *w;

    TRY(mpir_win_arg(&call, win, &w));
    TRY(mpir_out_arg(flag, "flag"));
    TRY(exposure_test(w, flag));
    return mpir_leave(&call);
}
MPIR_WEAK(Win_test);
