#include "request.h"

/* Waits until one operation is done and completes it as MPI_Wait; indx tells which. When all are
 * null, indx is MPI_UNDEFINED and the status empty (§3.7.5).
 * Errors: MPI_ERR_COUNT, MPI_ERR_REQUEST, MPI_ERR_ARG, and the operation's own. */
int PMPI_Waitany(int count, MPI_Request array_of_requests[], int *indx, MPI_Status *status)
{
    ENTER("MPI_Waitany", count, array_of_requests, indx, status);
    int active;

    TRY(mpir_request_array_arg(count, array_of_requests, &active));
    TRY(mpir_out_arg(indx, "indx"));
    TRY(mpir_out_arg(status, "status"));
    if (active == 0) {
        *indx = MPI_UNDEFINED;
        mpir_request_status_empty(status);
        return mpir_leave(&call);
    }
    *indx = mpir_request_wait_any(count, array_of_requests);
    TRY(mpir_request_finish(&array_of_requests[*indx], status, &call.comm));
    return mpir_leave(&call);
}
MPIR_WEAK(Waitany);
