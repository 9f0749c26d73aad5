#include "mpi/mpir.h"

__attribute__((noinline)) static int start_slow_path(MPI_Request *request)
{
    ENTER("MPI_Start", request);
    struct adi3_request *r;

    TRY(mpir_out_arg(request, "request"));
    TRY(mpir_request_arg(&call, *request, &r));
    TRY(adi3_startable(r));
    TRY(adi3_start(r));
    return mpir_leave(&call);
}

/* Starts a communication with a persistent request (§3.9). The request is active until it is
 * completed.
 * Errors: MPI_ERR_ARG, MPI_ERR_REQUEST when it is not persistent or active already, and those of
 * the operation. */
int PMPI_Start(MPI_Request *request)
{
    if (request && mpir_enter_quickly(MPIR_NAME("MPI_Start")) && adi3_start_quickly(*request))
        return mpir_leave_quickly();
    return start_slow_path(request);
}
MPIR_WEAK(Start);
