#include "mpi/request/request.h"

/* Waits for all requests of an array to complete (§3.7.5). Each is completed as by MPI_Wait.
 * Errors: MPI_ERR_COUNT, MPI_ERR_REQUEST, MPI_ERR_ARG; MPI_ERR_IN_STATUS when an operation failed:
 * then MPI_ERROR in each status is the error of its request. When a peer may be gone, those that
 * are not done stay as they are, with MPI_ERR_PENDING. */
int PMPI_Waitall(int count, MPI_Request array_of_requests[], MPI_Status *array_of_statuses)
{
    ENTER("MPI_Waitall", count, array_of_requests, array_of_statuses);
    struct mpir_batch batch = { .call = &call, .statuses = array_of_statuses };

    TRY(mpir_request_array_arg(count, array_of_requests));
    TRY(mpir_array_arg(array_of_statuses, count, "array_of_statuses"));
    mpir_request_take_all(&batch, count, array_of_requests);
    TRY(mpir_request_result(&batch));
    return mpir_leave(&call);
}
MPIR_WEAK(Waitall);
