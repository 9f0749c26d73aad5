#include "mpi/comm/comm.h"

/* Returns the intercommunicator of this process's job and the processes that have spawned it,
 * MPI_COMM_NULL when none has (§10.3.2). It is always the same handle; once that has been freed or
 * disconnected the result is MPI_COMM_NULL. The program need not free it.
 * Errors: MPI_ERR_ARG. */
int PMPI_Comm_get_parent(MPI_Comm *parent)
{
    ENTER("MPI_Comm_get_parent", parent);
    const struct adi3_comm *c = mpir_comm_parent;

    TRY(mpir_out_arg(parent, "parent"));
    *parent = c && c->closed == ADI3_OPEN ? c->handle : MPI_COMM_NULL;
    return mpir_leave(&call);
}
MPIR_WEAK(Comm_get_parent);
