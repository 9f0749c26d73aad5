#include "mpi/errhan/errhan.h"

static int class_arg(int errorclass)
{
    bool known = errorclass >= 0 && mpir_error_class(errorclass) == errorclass;

    if (known && errorclass != MPI_ERR_LASTCODE)
        return MPI_SUCCESS;
    return mpir_error(MPI_ERR_ARG, "%d is not an error class", errorclass);
}

/* Adds a new error code to an error class, a predefined one or one of the program (§8.5).
 * Errors: MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Add_error_code(int errorclass, int *errorcode)
{
    ENTER("MPI_Add_error_code", errorclass, errorcode);

    TRY(class_arg(errorclass));
    TRY(mpir_out_arg(errorcode, "errorcode"));
    TRY(mpir_user_code_add(errorclass, errorcode));
    return mpir_leave(&call);
}
MPIR_WEAK(Add_error_code);
