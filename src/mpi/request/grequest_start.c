#include "mpi/mpir.h"

/* Creates a generalized request, for an operation of the program (§12.2). query_fn fills the status
 * in each call that completes the request or asks for it, free_fn is called once at the end,
 * cancel_fn by MPI_Cancel. The functions may call MPI. They run in the thread that waits, tests,
 * frees or cancels, which may be another one than the thread that called MPI_Grequest_start.
 * Errors: MPI_ERR_ARG. */
int PMPI_Grequest_start(MPI_Grequest_query_function *query_fn, MPI_Grequest_free_function *free_fn,
                        MPI_Grequest_cancel_function *cancel_fn, void *extra_state,
                        MPI_Request *request)
{
    ENTER("MPI_Grequest_start", query_fn, free_fn, cancel_fn, extra_state, request);
    const struct adi3_callbacks users = { .language = &adi3_c,
                                          .query = query_fn,
                                          .free = free_fn,
                                          .cancel = cancel_fn,
                                          .extra = extra_state };

    if (mpir_checking() && (!query_fn || !free_fn || !cancel_fn))
        TRY(mpir_null(!query_fn ? "query_fn" : !free_fn ? "free_fn" : "cancel_fn"));
    TRY(mpir_out_arg(request, "request"));
    TRY(adi3_general_start(&users, request));
    return mpir_leave(&call);
}
MPIR_WEAK(Grequest_start);
