/* hooks.c — hooks of requests for the Fortran library. */
#include "mpi/core/hooks.h"
#include "mpi/mpir.h"

static int end_hook_add(MPI_Request request, void (*end)(void *arg), void *arg)
{
    struct mpir_call call = { .name = NULL };
    struct adi3_request *r;

    if (request == MPI_REQUEST_NULL || request == ADI3_REQUEST_COMPLETE) {
        end(arg);
        return MPI_SUCCESS;
    }
    int err = mpir_request_arg(&call, request, &r);
    if (err)
        return err;
    if (adi3_request_persists(r) || adi3_general_get(request))
        return mpir_error(MPI_ERR_REQUEST, "request 0x%x is %s", (unsigned) request,
                          adi3_request_persists(r) ? "persistent" : "a generalized request");
    return adi3_request_at_end(r, end, arg);
}

int MPIR_Request_at_end(MPI_Request request, void (*end)(void *arg), void *arg)
{
    struct mpir_call call = mpir_enter(__func__);
    int err = end_hook_add(request, end, arg);

    (void) mpir_leave(&call);
    return err;
}

int MPIR_Grequest_set_language(MPI_Request request, const struct adi3_language *row)
{
    struct mpir_call call = mpir_enter(__func__);
    struct adi3_request *r = adi3_general_get(request);
    int err =
        r ? MPI_SUCCESS
          : mpir_error(MPI_ERR_REQUEST, "0x%x is not a generalized request", (unsigned) request);

    if (r)
        adi3_general_set_language(r, row);
    (void) mpir_leave(&call);
    return err;
}
