#include "mpi/attr/attr.h"

/* Creates a new attribute key for windows (§6.7.3). The functions may be MPI_WIN_NULL_COPY_FN,
 * MPI_WIN_DUP_FN and MPI_WIN_NULL_DELETE_FN; extra_state is passed to them.
 * Errors: MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Win_create_keyval(MPI_Win_copy_attr_function *win_copy_attr_fn,
                           MPI_Win_delete_attr_function *win_delete_attr_fn, int *win_keyval,
                           void *extra_state)
{
    ENTER("MPI_Win_create_keyval", win_copy_attr_fn, win_delete_attr_fn, win_keyval, extra_state);
    const struct mpir_callbacks fn = { &adi3_c, win_copy_attr_fn, win_delete_attr_fn, extra_state };

    TRY(mpir_out_arg(win_keyval, "win_keyval"));
    TRY(mpir_keyval_create(MPIR_ON_WIN, fn, win_keyval));
    return mpir_leave(&call);
}
MPIR_WEAK(Win_create_keyval);
