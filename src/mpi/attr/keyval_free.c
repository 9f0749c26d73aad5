#include "mpi/attr/attr.h"

/* Frees an attribute key for communicators (§15.1). The deprecated name of MPI_Comm_free_keyval.
 * Errors: MPI_ERR_ARG, MPI_ERR_KEYVAL. */
int PMPI_Keyval_free(int *keyval)
{
    ENTER("MPI_Keyval_free", keyval);

    TRY(mpir_out_arg(keyval, "keyval"));
    TRY(mpir_keyval_free(MPIR_ON_COMM, keyval));
    return mpir_leave(&call);
}
MPIR_WEAK(Keyval_free);
