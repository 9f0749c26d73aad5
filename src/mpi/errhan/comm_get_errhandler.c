#include "mpi/errhan/errhan.h"

/* Returns the error handler of a communicator (§8.3.1). The caller frees the handle.
 * Errors: MPI_ERR_COMM, MPI_ERR_ARG. */
int PMPI_Comm_get_errhandler(MPI_Comm comm, MPI_Errhandler *errhandler)
{
    ENTER("MPI_Comm_get_errhandler", comm, errhandler);
    struct adi3_comm *c;

    TRY(mpir_local_comm_arg(&call, comm, &c));
    TRY(mpir_out_arg(errhandler, "errhandler"));
    *errhandler = mpir_errhandler_user_acquire(c->errhandler);
    return mpir_leave(&call);
}
MPIR_WEAK(Comm_get_errhandler);
