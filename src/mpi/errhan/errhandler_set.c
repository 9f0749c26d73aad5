#include "mpi/errhan/errhan.h"

/* Sets the error handler of a communicator (§15.2). The removed name of MPI_Comm_set_errhandler.
 * Errors: as MPI_Comm_set_errhandler. */
int PMPI_Errhandler_set(MPI_Comm comm, MPI_Errhandler errhandler)
{
    ENTER("MPI_Errhandler_set", comm, errhandler);
    struct adi3_comm *c;

    TRY(mpir_local_comm_arg(&call, comm, &c));
    TRY(mpir_errhandler_arg(errhandler, MPIR_HANDLES_COMM));
    mpir_errhandler_attach(&c->errhandler, errhandler);
    return mpir_leave(&call);
}
MPIR_WEAK(Errhandler_set);
