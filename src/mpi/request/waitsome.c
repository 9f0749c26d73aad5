#include "mpi/request/request.h"

/* Waits for at least one request of an array to complete, and completes all that are (§3.7.5).
 * outcount is their number. Their indices and statuses are at the beginning of the arrays. outcount
 * is MPI_UNDEFINED when all requests are null or inactive.
 * Errors: MPI_ERR_COUNT, MPI_ERR_REQUEST, MPI_ERR_ARG; MPI_ERR_IN_STATUS when an operation failed:
 * then MPI_ERROR in each status is the error of its request. */
int PMPI_Waitsome(int incount, MPI_Request array_of_requests[], int *outcount,
                  int array_of_indices[], MPI_Status *array_of_statuses)
{
    ENTER("MPI_Waitsome", incount, array_of_requests, outcount, array_of_indices,
          array_of_statuses);
    struct mpir_batch batch = { .call = &call, .statuses = array_of_statuses };
    struct mpir_search search = { .indices = array_of_indices, .room = incount, .wait = true };

    TRY(mpir_out_arg(outcount, "outcount"));
    TRY(mpir_array_arg(array_of_indices, incount, "array_of_indices"));
    TRY(mpir_array_arg(array_of_statuses, incount, "array_of_statuses"));
    TRY(mpir_request_search(&search, incount, array_of_requests));
    TRY(mpir_request_take_some(&batch, &search, array_of_requests, outcount));
    return mpir_leave(&call);
}
MPIR_WEAK(Waitsome);
