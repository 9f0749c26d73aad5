#include "errhan.h"

/* Gives the class of an error code; of a class itself (§8.4).
 * Errors: MPI_ERR_ARG. */
int PMPI_Error_class(int errorcode, int *errorclass)
{
    ENTER("MPI_Error_class", errorcode, errorclass);

    TRY(mpir_error_code_arg(errorcode));
    TRY(mpir_out_arg(errorclass, "errorclass"));
    *errorclass = mpir_error_class(errorcode);
    return mpir_leave(&call);
}
MPIR_WEAK(Error_class);
