#include "mpi/mpir.h"

/* Frees a request and sets the handle to MPI_REQUEST_NULL (§3.7.3). Returns at once; the operation
 * goes on, and its result is not reported.
 * Errors: MPI_ERR_ARG, MPI_ERR_REQUEST; those of a generalized request's function. */
int PMPI_Request_free(MPI_Request *request)
{
    ENTER("MPI_Request_free", request);
    struct adi3_request *r;

    TRY(mpir_out_arg(request, "request"));
    if (*request != ADI3_REQUEST_COMPLETE) {
        TRY(mpir_request_arg(&call, *request, &r));
        TRY(adi3_request_freeable(r));
        *request = MPI_REQUEST_NULL;
        TRY(adi3_request_release(r));
    }
    *request = MPI_REQUEST_NULL;
    return mpir_leave(&call);
}
MPIR_WEAK(Request_free);
