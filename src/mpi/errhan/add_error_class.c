#include "mpi/errhan/errhan.h"

/* Adds a new error class (§8.5). It is greater than MPI_ERR_LASTCODE, and the attribute
 * MPI_LASTUSEDCODE becomes equal to it. Processes that add the same classes and codes in the same
 * order get the same values.
 * Errors: MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Add_error_class(int *errorclass)
{
    ENTER("MPI_Add_error_class", errorclass);

    TRY(mpir_out_arg(errorclass, "errorclass"));
    TRY(mpir_user_code_add(MPI_ERR_LASTCODE, errorclass));
    return mpir_leave(&call);
}
MPIR_WEAK(Add_error_class);
