#include "mpi/attr/attr.h"
#include "mpi/rma/rma.h"

/* Deletes an attribute value of a window, after the delete function of the key has returned
 * MPI_SUCCESS (§6.7.3). It is no error when there is no value.
 * Errors: MPI_ERR_WIN, MPI_ERR_KEYVAL, and what the function returns: then the value stays. */
int PMPI_Win_delete_attr(MPI_Win win, int win_keyval)
{
    ENTER("MPI_Win_delete_attr", win, win_keyval);
    struct adi3_win *w;

    TRY(mpir_win_arg(&call, win, &w));
    TRY(mpir_attribute_delete(mpir_win_attr_holder(w), win_keyval));
    return mpir_leave(&call);
}
MPIR_WEAK(Win_delete_attr);
