#include "mpi/mpir.h"

/* Returns the number of processes in the remote group of an intercommunicator (§6.6.1).
 * Errors: MPI_ERR_COMM, MPI_ERR_ARG. */
int PMPI_Comm_remote_size(MPI_Comm comm, int *size)
{
    ENTER("MPI_Comm_remote_size", comm, size);
    struct adi3_comm *c;

    TRY(mpir_local_comm_arg(&call, comm, &c));
    TRY(mpir_is_inter_arg(c));
    TRY(mpir_out_arg(size, "size"));
    *size = c->peers;
    return mpir_leave(&call);
}
MPIR_WEAK(Comm_remote_size);
