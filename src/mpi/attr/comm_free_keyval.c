#include "mpi/attr/attr.h"

/* Frees an attribute key for communicators and sets it to MPI_KEYVAL_INVALID (§6.7.2). Attributes
 * with this key stay, and its functions are still called for them.
 * Errors: MPI_ERR_ARG, MPI_ERR_KEYVAL, also for a predefined key. */
int PMPI_Comm_free_keyval(int *comm_keyval)
{
    ENTER("MPI_Comm_free_keyval", comm_keyval);

    TRY(mpir_out_arg(comm_keyval, "comm_keyval"));
    TRY(mpir_keyval_free(MPIR_ON_COMM, comm_keyval));
    return mpir_leave(&call);
}
MPIR_WEAK(Comm_free_keyval);
