#include "mpi/mpir.h"

/* Marks an operation for cancellation (§3.8.4). Returns at once. The request must still be
 * completed, and its status then says whether the operation was cancelled. A receive is cancelled
 * when it has not matched, a send when its data has not been requested by the receiver.
 * Errors: MPI_ERR_ARG, MPI_ERR_REQUEST; those of a generalized request's function. */
int PMPI_Cancel(MPI_Request *request)
{
    ENTER("MPI_Cancel", request);
    struct adi3_request *r;

    TRY(mpir_out_arg(request, "request"));
    if (*request != ADI3_REQUEST_COMPLETE) {
        TRY(mpir_request_arg(&call, *request, &r));
        if (adi3_request_inactive(r))
            TRY(mpir_error(MPI_ERR_REQUEST, "request 0x%x is not active", (unsigned) *request));
        TRY(adi3_cancel(r));
    }
    return mpir_leave(&call);
}
MPIR_WEAK(Cancel);
