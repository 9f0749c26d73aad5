#include "mpi/mpir.h"

static int general_arg(MPI_Request h, struct adi3_request **r)
{
    *r = adi3_general_get(h);
    if (*r)
        return MPI_SUCCESS;
    return mpir_error(MPI_ERR_REQUEST, "0x%x is not a generalized request, or one that is complete",
                      (unsigned) h);
}

/* Informs MPI that the operation of a generalized request is complete (§12.2). Calls that wait for
 * it return, in this thread or another one. It may be called after MPI_Request_free; then free_fn
 * is called here.
 * Errors: MPI_ERR_REQUEST; those of free_fn. */
int PMPI_Grequest_complete(MPI_Request request)
{
    ENTER("MPI_Grequest_complete", request);
    struct adi3_request *r;

    TRY(general_arg(request, &r));
    TRY(adi3_general_complete(r));
    return mpir_leave(&call);
}
MPIR_WEAK(Grequest_complete);
