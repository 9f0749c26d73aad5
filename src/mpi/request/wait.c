#include "mpi/request/request.h"

/* The general case. r is the request when the arguments are valid, else NULL. */
__attribute__((noinline)) static int wait_slow_path(struct adi3_request *r, MPI_Request *request,
                                                    MPI_Status *status)
{
    ENTER("MPI_Wait", request, status);

    if (!r) {
        TRY(mpir_out_arg(request, "request"));
        TRY(mpir_out_arg(status, "status"));
        if (*request == MPI_REQUEST_NULL || *request == ADI3_REQUEST_COMPLETE) {
            TRY(mpir_request_finish(request, status, &call.comm));
            return mpir_leave(&call);
        }
        TRY(mpir_request_arg(&call, *request, &r));
    }
    call.comm = adi3_request_comm(r);
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

__attribute__((noinline, cold)) static int wait_fail(struct adi3_comm *comm, int err,
                                                     MPI_Request *request, MPI_Status *status)
{
    ENTER("MPI_Wait", request, status);

    call.comm = comm;
    TRY(err);
    return mpir_leave(&call);
}

/* Completes a request that is done already. */
__attribute__((noinline)) static int done_request_take(struct adi3_request *r, MPI_Request *request,
                                                       MPI_Status *status)
{
    struct adi3_comm *comm = adi3_request_comm(r);

    if (!adi3_request_persists(r))
        *request = MPI_REQUEST_NULL;
    int err = adi3_request_finish(r, status);
    return __builtin_expect(err, 0) ? wait_fail(comm, err, request, status) : mpir_leave_quickly();
}

/* Waits for a request to complete (§3.7.3). Frees the request and sets the handle to
 * MPI_REQUEST_NULL, or makes a persistent one inactive. For a null or inactive request the status
 * is empty.
 * Errors: MPI_ERR_REQUEST, MPI_ERR_ARG, and the operation's own. */
int PMPI_Wait(MPI_Request *request, MPI_Status *status)
{
    if (mpir_is(ADI3_ANY) || !request || !status)
        return wait_slow_path(NULL, request, status);
    if (*request == ADI3_REQUEST_COMPLETE) {
        *request = MPI_REQUEST_NULL;
        mpir_request_status_none(status);
        return MPI_SUCCESS;
    }
    if (!mpir_enter_quickly(MPIR_NAME("MPI_Wait")))
        return wait_slow_path(NULL, request, status);
    struct adi3_request *r = adi3_request_get(*request);
    return r && adi3_request_done(r) ? done_request_take(r, request, status)
                                     : wait_slow_path(r, request, status);
}
MPIR_WEAK(Wait);
