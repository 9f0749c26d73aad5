#include "request.h"

__attribute__((noinline)) static int wait(MPI_Request *request, MPI_Status *status)
{
    ENTER("MPI_Wait", request, status);
    struct adi3_request *r;

    TRY(mpir_out_arg(request, "request"));
    TRY(mpir_out_arg(status, "status"));
    if (*request == MPI_REQUEST_NULL || *request == ADI3_REQUEST_COMPLETE) {
        TRY(mpir_request_finish(request, status, &call.comm));
        return mpir_leave(&call);
    }
    TRY(mpir_request_arg(&call, *request, &r));
    if (!adi3_request_done(r)) {
        if (adi3_request_inactive(r)) {
            mpir_request_status_empty(status);
            return mpir_leave(&call);
        }
        adi3_wait_done(r);
    }
    if (!adi3_request_persists(r))
        *request = MPI_REQUEST_NULL; /* also when it ends in an error */
    TRY(adi3_request_finish(r, status));
    return mpir_leave(&call);
}

/* Waits until the operation is done, frees the request and sets it to MPI_REQUEST_NULL, or makes it
 * inactive when it is persistent; for one that is null or inactive already the status is empty
 * (§3.7.3).
 * Errors: MPI_ERR_REQUEST, MPI_ERR_ARG, and the operation's own. */
int PMPI_Wait(MPI_Request *request, MPI_Status *status)
{
    if (mpir_state || !request || !status || *request != ADI3_REQUEST_COMPLETE)
        return wait(request, status);
    *request = MPI_REQUEST_NULL;
    mpir_request_status_none(status);
    return MPI_SUCCESS;
}
MPIR_WEAK(Wait);
