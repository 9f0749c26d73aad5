#include "mpi/pt2pt/received.h"

/* Tests whether the operation of a status was cancelled (§3.8.4). When it was, the other fields of
 * the status are undefined.
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
