#include "mpi/mpir.h"

static int entry_arg(struct mpir_call *call, MPI_Request h, int i)
{
    struct adi3_request *r;

    if (h == MPI_REQUEST_NULL)
        return mpir_error(MPI_ERR_REQUEST, "array_of_requests[%d] is MPI_REQUEST_NULL", i);
    int err = mpir_request_arg(call, h, &r);
    if (!err)
        err = adi3_startable(r);
    return err;
}

/* Starts a collection of persistent requests, in any order (§3.9). As MPI_Start for each; all
 * requests are checked before the first is started.
 * Errors: as MPI_Start, and MPI_ERR_COUNT. After an error of an operation those behind it are
 * inactive. */
int PMPI_Startall(int count, MPI_Request array_of_requests[])
{
    ENTER("MPI_Startall", count, array_of_requests);

    TRY(mpir_count_arg(count, "count"));
    TRY(mpir_array_arg(array_of_requests, count, "array_of_requests"));
    for (int i = 0; i < count; i++)
        TRY(entry_arg(&call, array_of_requests[i], i));
    for (int i = 0; i < count; i++) {
        struct adi3_request *r;
        TRY(mpir_request_arg(&call, array_of_requests[i], &r));
        TRY(adi3_startable(r)); /* it fails when the request is in the array twice */
        TRY(adi3_start(r));
    }
    return mpir_leave(&call);
}
MPIR_WEAK(Startall);
