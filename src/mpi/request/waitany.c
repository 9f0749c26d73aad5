#include "mpi/request/request.h"

/* Waits for any one request of an array to complete (§3.7.5). It is completed as by MPI_Wait, and
 * indx is its index, the lowest when several are complete. When all requests are null or inactive,
 * indx is MPI_UNDEFINED and the status is empty.
 * Errors: MPI_ERR_COUNT, MPI_ERR_REQUEST, MPI_ERR_ARG, and the operation's own. */
int PMPI_Waitany(int count, MPI_Request array_of_requests[], int *indx, MPI_Status *status)
{
    ENTER("MPI_Waitany", count, array_of_requests, indx, status);
    int found = MPI_UNDEFINED;
    struct mpir_search search = { .indices = &found, .room = 1, .wait = true };

    TRY(mpir_out_arg(indx, "indx"));
    TRY(mpir_out_arg(status, "status"));
    TRY(mpir_request_search(&search, count, array_of_requests));
    *indx = found;
    if (!search.active)
        mpir_request_status_empty(status);
    if (search.n)
        TRY(mpir_request_finish(&array_of_requests[found], status, &call.comm));
    return mpir_leave(&call);
}
MPIR_WEAK(Waitany);
