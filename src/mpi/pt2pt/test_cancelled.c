#include "received.h"

/* Tells whether the operation with this status was cancelled (§3.8.4); then nothing else of the
 * status means anything.
 * Errors: MPI_ERR_ARG. */
int PMPI_Test_cancelled(const MPI_Status *status, int *flag)
{
    ENTER("MPI_Test_cancelled", status, flag);

    TRY(mpir_status_arg(status));
    TRY(mpir_out_arg(flag, "flag"));
    *flag = status->count_hi_and_cancelled & 1;
    return mpir_leave(&call);
}
MPIR_WEAK(Test_cancelled);
