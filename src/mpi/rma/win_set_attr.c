#include "mpi/attr/attr.h"
#include "mpi/rma/rma.h"

/* Stores an attribute value on a window (§6.7.3). A value that the key already has there is deleted
 * first, by the delete function of the key.
 * Errors: MPI_ERR_WIN, MPI_ERR_KEYVAL, MPI_ERR_NO_MEM, and what the key's delete function returns:
 * then the old value stays. */
int PMPI_Win_set_attr(MPI_Win win, int win_keyval, void *attribute_val)
{
    ENTER("MPI_Win_set_attr", win, win_keyval, attribute_val);
    struct adi3_win *w;

    TRY(mpir_win_arg(&call, win, &w));
    TRY(mpir_attribute_set(mpir_win_attr_holder(w), win_keyval, attribute_val));
    return mpir_leave(&call);
}
MPIR_WEAK(Win_set_attr);
