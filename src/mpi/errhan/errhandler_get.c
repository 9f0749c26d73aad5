#include "mpi/errhan/errhan.h"

/* Returns the error handler of a communicator (§15.2). The removed name of MPI_Comm_get_errhandler.
 * Errors: as MPI_Comm_get_errhandler. */
int PMPI_Errhandler_get(MPI_Comm comm, MPI_Errhandler *errhandler)
{
    ENTER("MPI_Errhandler_get", comm, errhandler);
    struct adi3_comm *c;

    TRY(mpir_local_comm_arg(&call, comm, &c));
    TRY(mpir_out_arg(errhandler, "errhandler"));
    *errhandler = mpir_errhandler_user_acquire(c->errhandler);
    return mpir_leave(&call);
}
MPIR_WEAK(Errhandler_get);
