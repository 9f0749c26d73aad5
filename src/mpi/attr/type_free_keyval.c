#include "mpi/attr/attr.h"

/* Frees an attribute key for datatypes and sets it to MPI_KEYVAL_INVALID (§6.7.4). Attributes with
 * this key stay, and its functions are still called for them.
 * Errors: MPI_ERR_ARG, MPI_ERR_KEYVAL, also for a predefined key. */
int PMPI_Type_free_keyval(int *type_keyval)
{
    ENTER("MPI_Type_free_keyval", type_keyval);

    TRY(mpir_out_arg(type_keyval, "type_keyval"));
    TRY(mpir_keyval_free(MPIR_ON_TYPE, type_keyval));
    return mpir_leave(&call);
}
MPIR_WEAK(Type_free_keyval);
