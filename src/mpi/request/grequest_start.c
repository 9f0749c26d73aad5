#include "mpir.h"

/* Makes a request for an operation of the program's own (§12.2): query_fn fills the status of each
 * call that completes or asks, free_fn is called once at the end, cancel_fn by MPI_Cancel. They may
 * call MPI.
 * Errors: MPI_ERR_ARG. */
int PMPI_Grequest_start(MPI_Grequest_query_function *query_fn, MPI_Grequest_free_function *free_fn,
                        MPI_Grequest_cancel_function *cancel_fn, void *extra_state,
                        MPI_Request *request)
{
    ENTER("MPI_Grequest_start", query_fn, free_fn, cancel_fn, extra_state, request);
    const struct adi3_callbacks users = { query_fn, free_fn, cancel_fn, extra_state };

    if (mpir_checking() && (!query_fn || !free_fn || !cancel_fn))
        TRY(mpir_null(!query_fn ? "query_fn" : !free_fn ? "free_fn" : "cancel_fn"));
    TRY(mpir_out_arg(request, "request"));
    TRY(adi3_general_start(&users, request));
    return mpir_leave(&call);
}
MPIR_WEAK(Grequest_start);
