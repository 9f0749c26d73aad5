#include "mpi/errhan/errhan.h"

/* Sets the error handler of a communicator, in this process only (§8.3.1). The handler that was set
 * before loses a reference.
 * Errors: MPI_ERR_COMM, MPI_ERR_ARG. */
int PMPI_Comm_set_errhandler(MPI_Comm comm, MPI_Errhandler errhandler)
{
    ENTER("MPI_Comm_set_errhandler", comm, errhandler);
    struct adi3_comm *c;

    TRY(mpir_local_comm_arg(&call, comm, &c));
    TRY(mpir_errhandler_arg(errhandler, MPIR_HANDLES_COMM));
    mpir_errhandler_attach(&c->errhandler, errhandler);
    return mpir_leave(&call);
}
MPIR_WEAK(Comm_set_errhandler);
