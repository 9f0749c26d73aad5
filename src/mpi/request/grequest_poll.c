/* grequest_poll.c — MPICH's generalized requests with a function that calls of MPI poll, and
 * classes of such requests. */
#include "mpi/mpir.h"

enum { CLASSES = 64 };
static struct adi3_callbacks classes[CLASSES]; /* taken from the first on, for good */
static int taken;

static int functions_arg(const struct adi3_callbacks *u)
{
    if (!mpir_checking() || (u->query && u->free && u->cancel))
        return MPI_SUCCESS;
    return mpir_null(!u->query ? "query_fn" : !u->free ? "free_fn" : "cancel_fn");
}

/* Creates a generalized request as MPI_Grequest_start does. Calls that wait for requests or test
 * them call poll_fn, which calls MPI_Grequest_complete when the operation is complete; so no thread
 * of the program has to. wait_fn is called instead when poll_fn is NULL, with the one state: it may
 * block until the operation is complete. MPICH's.
 * Errors: MPI_ERR_ARG. */
int PMPIX_Grequest_start(MPI_Grequest_query_function *query_fn, MPI_Grequest_free_function *free_fn,
                         MPI_Grequest_cancel_function *cancel_fn,
                         MPIX_Grequest_poll_function *poll_fn, MPIX_Grequest_wait_function *wait_fn,
                         void *extra_state, MPI_Request *request)
{
    ENTER("MPIX_Grequest_start", query_fn, free_fn, cancel_fn, poll_fn, wait_fn, extra_state,
          request);
    const struct adi3_callbacks users = { &adi3_c,     query_fn, free_fn, cancel_fn,
                                          extra_state, poll_fn,  wait_fn };

    TRY(functions_arg(&users));
    TRY(mpir_out_arg(request, "request"));
    TRY(adi3_general_start(&users, request));
    return mpir_leave(&call);
}
MPIR_WEAK_X(Grequest_start);

/* Makes a class of such requests, for MPIX_Grequest_class_allocate; there are 64 at most. MPICH's.
 * Errors: MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPIX_Grequest_class_create(MPI_Grequest_query_function *query_fn,
                                MPI_Grequest_free_function *free_fn,
                                MPI_Grequest_cancel_function *cancel_fn,
                                MPIX_Grequest_poll_function *poll_fn,
                                MPIX_Grequest_wait_function *wait_fn,
                                MPIX_Grequest_class *greq_class)
{
    ENTER("MPIX_Grequest_class_create", query_fn, free_fn, cancel_fn, poll_fn, wait_fn, greq_class);
    const struct adi3_callbacks users = { &adi3_c, query_fn, free_fn, cancel_fn,
                                          NULL,    poll_fn,  wait_fn };

    TRY(functions_arg(&users));
    TRY(mpir_out_arg(greq_class, "greq_class"));
    TRY(taken < CLASSES ? MPI_SUCCESS
                        : mpir_error(MPI_ERR_NO_MEM, "there are %d classes already", CLASSES));
    classes[taken] = users;
    *greq_class = taken++;
    return mpir_leave(&call);
}
MPIR_WEAK_X(Grequest_class_create);

/* Creates a request of a class, as MPIX_Grequest_start does. MPICH's.
 * Errors: MPI_ERR_ARG. */
int PMPIX_Grequest_class_allocate(MPIX_Grequest_class greq_class, void *extra_state,
                                  MPI_Request *request)
{
    ENTER("MPIX_Grequest_class_allocate", greq_class, extra_state, request);

    TRY((unsigned) greq_class < (unsigned) taken
            ? MPI_SUCCESS
            : mpir_error(MPI_ERR_ARG, "greq_class %d is outside 0..%d", greq_class, taken - 1));
    TRY(mpir_out_arg(request, "request"));
    struct adi3_callbacks users = classes[greq_class];
    users.extra = extra_state;
    TRY(adi3_general_start(&users, request));
    return mpir_leave(&call);
}
MPIR_WEAK_X(Grequest_class_allocate);
