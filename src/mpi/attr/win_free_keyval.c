#include "mpi/attr/attr.h"

/* Frees an attribute key for windows and sets it to MPI_KEYVAL_INVALID (§6.7.3). Attributes with
 * this key stay, and its functions are still called for them.
 * Errors: MPI_ERR_ARG, MPI_ERR_KEYVAL, also for a predefined key. */
int PMPI_Win_free_keyval(int *win_keyval)
{
    ENTER("MPI_Win_free_keyval", win_keyval);

    TRY(mpir_out_arg(win_keyval, "win_keyval"));
    TRY(mpir_keyval_free(MPIR_ON_WIN, win_keyval));
    return mpir_leave(&call);
}
MPIR_WEAK(Win_free_keyval);
