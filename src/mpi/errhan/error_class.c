#include "mpi/errhan/errhan.h"

/* Returns the error class of an error code (§8.4). The class of a class is the class itself.
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
