#include "mpi/request/request.h"

/* Tests for the completion of a request (§3.7.3). When the operation is complete, flag is true and
 * the request is completed as by MPI_Wait. Otherwise flag is false and nothing is changed.
 * Errors: as MPI_Wait; flag is true when they are the operation's. */
int PMPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
    ENTER("MPI_Test", request, flag, status);
    struct adi3_request *r;

    TRY(mpir_out_arg(request, "request"));
    TRY(mpir_out_arg(flag, "flag"));
    TRY(mpir_out_arg(status, "status"));
    *flag = true;
    if (*request != MPI_REQUEST_NULL && *request != ADI3_REQUEST_COMPLETE) {
        TRY(mpir_request_arg(&call, *request, &r));
        if (!adi3_request_done(r))
            (void) adi3_poll();
        *flag = adi3_request_done(r) || adi3_request_inactive(r);
    }
    if (*flag)
        TRY(mpir_request_finish(request, status, &call.comm));
    return mpir_leave(&call);
}
MPIR_WEAK(Test);
