#include "mpi/request/request.h"

/* Tests for the completion of any one request of an array (§3.7.5). When one is complete, or all
 * requests are null or inactive, flag is true and the rest is as for MPI_Waitany. Otherwise flag is
 * false and indx is MPI_UNDEFINED.
 * Errors: as MPI_Waitany. */
int PMPI_Testany(int count, MPI_Request array_of_requests[], int *indx, int *flag,
                 MPI_Status *status)
{
    ENTER("MPI_Testany", count, array_of_requests, indx, flag, status);
    int found = MPI_UNDEFINED;
    struct mpir_search search = { .indices = &found, .room = 1, .wait = false };

    TRY(mpir_out_arg(indx, "indx"));
    TRY(mpir_out_arg(flag, "flag"));
    TRY(mpir_out_arg(status, "status"));
    TRY(mpir_request_search(&search, count, array_of_requests));
    *indx = found;
    *flag = search.n || !search.active;
    if (!search.active)
        mpir_request_status_empty(status);
    if (search.n)
        TRY(mpir_request_finish(&array_of_requests[found], status, &call.comm));
    return mpir_leave(&call);
}
MPIR_WEAK(Testany);
