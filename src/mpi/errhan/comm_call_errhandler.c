#include "mpi/errhan/errhan.h"

/* Calls the error handler of a communicator with an error code (§8.5). Succeeds when the handler
 * returns.
 * Errors: MPI_ERR_COMM. */
int PMPI_Comm_call_errhandler(MPI_Comm comm, int errorcode)
{
    ENTER("MPI_Comm_call_errhandler", comm, errorcode);
    struct adi3_comm *c;

    TRY(mpir_local_comm_arg(&call, comm, &c));
    (void) mpir_fail(call, errorcode, "comm, errorcode", comm, errorcode);
    return MPI_SUCCESS;
}
MPIR_WEAK(Comm_call_errhandler);
