#include "mpi/request/request.h"

/* Tests for the completion of some requests of an array (§3.7.5). As MPI_Waitsome, but returns at
 * once; outcount is 0 when no operation is complete.
 * Errors: as MPI_Waitsome. */
int PMPI_Testsome(int incount, MPI_Request array_of_requests[], int *outcount,
                  int array_of_indices[], MPI_Status *array_of_statuses)
{
    ENTER("MPI_Testsome", incount, array_of_requests, outcount, array_of_indices,
          array_of_statuses);
    struct mpir_batch batch = { .call = &call, .statuses = array_of_statuses };
    struct mpir_search search = { .indices = array_of_indices, .room = incount, .wait = false };

    TRY(mpir_out_arg(outcount, "outcount"));
    TRY(mpir_array_arg(array_of_indices, incount, "array_of_indices"));
    TRY(mpir_array_arg(array_of_statuses, incount, "array_of_statuses"));
    TRY(mpir_request_search(&search, incount, array_of_requests));
    TRY(mpir_request_take_some(&batch, &search, array_of_requests, outcount));
    return mpir_leave(&call);
}
MPIR_WEAK(Testsome);
