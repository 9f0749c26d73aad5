#include "mpi/attr/attr.h"

/* Creates a new attribute key for communicators (§15.1). The deprecated name of
 * MPI_Comm_create_keyval. The functions may be MPI_NULL_COPY_FN, MPI_DUP_FN and MPI_NULL_DELETE_FN.
 * Errors: MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Keyval_create(MPI_Copy_function *copy_fn, MPI_Delete_function *delete_fn, int *keyval,
                       void *extra_state)
{
    ENTER("MPI_Keyval_create", copy_fn, delete_fn, keyval, extra_state);

    TRY(mpir_out_arg(keyval, "keyval"));
    TRY(mpir_keyval_create(MPIR_ON_COMM,
                           (struct mpir_callbacks) { &adi3_c, copy_fn, delete_fn, extra_state },
                           keyval));
    return mpir_leave(&call);
}
MPIR_WEAK(Keyval_create);
