#include "mpi/pt2pt/received.h"

/* Sets the flag of a status that MPI_Test_cancelled returns (§12.3).
 * Errors: MPI_ERR_ARG. */
int PMPI_Status_set_cancelled(MPI_Status *status, int flag)
{
    ENTER("MPI_Status_set_cancelled", status, flag);

    TRY(mpir_status_arg(status));
    adi3_status_cancel(status, flag);
    return mpir_leave(&call);
}
MPIR_WEAK(Status_set_cancelled);
