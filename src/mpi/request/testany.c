#include "request.h"

/* As MPI_Waitany when an operation is done or all are null, and sets flag; otherwise returns at
 * once with flag false and indx MPI_UNDEFINED (§3.7.5).
 * Errors: as MPI_Waitany. */
int PMPI_Testany(int count, MPI_Request array_of_requests[], int *indx, int *flag,
                 MPI_Status *status)
{
    ENTER("MPI_Testany", count, array_of_requests, indx, flag, status);
    int active;

    TRY(mpir_request_array_arg(count, array_of_requests, &active));
    TRY(mpir_out_arg(indx, "indx"));
    TRY(mpir_out_arg(flag, "flag"));
    TRY(mpir_out_arg(status, "status"));
    if (active == 0) {
        *indx = MPI_UNDEFINED;
        *flag = true;
        mpir_request_status_empty(status);
        return mpir_leave(&call);
    }
    adi3_poll();
    *indx = mpir_request_find_done(count, array_of_requests);
    *flag = *indx != MPI_UNDEFINED;
    if (*flag)
        TRY(mpir_request_finish(&array_of_requests[*indx], status, &call.comm));
    return mpir_leave(&call);
}
MPIR_WEAK(Testany);
