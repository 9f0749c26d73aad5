#include "errhan.h"

/* Makes an error class, greater than MPI_ERR_LASTCODE, and sets the attribute MPI_LASTUSEDCODE to
 * it (§8.5). Processes that add the same in the same order get the same values.
 * Errors: MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Add_error_class(int *errorclass)
{
    ENTER("MPI_Add_error_class", errorclass);

    TRY(mpir_out_arg(errorclass, "errorclass"));
    TRY(mpir_user_code_add(MPI_ERR_LASTCODE, errorclass));
    return mpir_leave(&call);
}
MPIR_WEAK(Add_error_class);
