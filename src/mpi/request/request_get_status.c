#include "mpi/request/request.h"

/* Tests whether an operation is complete, without freeing its request (§3.7.6). As MPI_Test, but
 * the request stays as it is and is completed later.
 * Errors: as MPI_Test. */
int PMPI_Request_get_status(MPI_Request request, int *flag, MPI_Status *status)
{
    ENTER("MPI_Request_get_status", request, flag, status);
    struct adi3_request *r = NULL;

    if (request != MPI_REQUEST_NULL && request != ADI3_REQUEST_COMPLETE)
        TRY(mpir_request_arg(&call, request, &r));
    TRY(mpir_out_arg(flag, "flag"));
    TRY(mpir_out_arg(status, "status"));
    *flag = true;
    if (request == ADI3_REQUEST_COMPLETE) {
        mpir_request_status_none(status);
    } else if (!r || adi3_request_inactive(r)) {
        mpir_request_status_empty(status);
    } else {
        if (!adi3_request_done(r))
            (void) adi3_poll();
        *flag = adi3_request_done(r);
        if (*flag)
            TRY(adi3_request_peek(r, status));
    }
    return mpir_leave(&call);
}
MPIR_WEAK(Request_get_status);
