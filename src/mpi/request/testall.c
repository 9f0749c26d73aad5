#include "mpi/request/request.h"

/* Tests for the completion of all requests of an array (§3.7.5). When all operations are complete,
 * flag is true and each request is completed as by MPI_Wait. Otherwise flag is false and nothing is
 * changed.
 * Errors: as MPI_Waitall. */
int PMPI_Testall(int count, MPI_Request array_of_requests[], int *flag,
                 MPI_Status *array_of_statuses)
{
    ENTER("MPI_Testall", count, array_of_requests, flag, array_of_statuses);
    struct mpir_batch batch = { .call = &call, .statuses = array_of_statuses };

    TRY(mpir_request_array_arg(count, array_of_requests));
    TRY(mpir_out_arg(flag, "flag"));
    TRY(mpir_array_arg(array_of_statuses, count, "array_of_statuses"));
    *flag = mpir_request_all_done(count, array_of_requests);
    if (!*flag) {
        (void) adi3_poll();
        *flag = mpir_request_all_done(count, array_of_requests);
    }
    if (*flag)
        mpir_request_take_all(&batch, count, array_of_requests);
    TRY(mpir_request_result(&batch));
    return mpir_leave(&call);
}
MPIR_WEAK(Testall);
