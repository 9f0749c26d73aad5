#include "mpi/mpir.h"

/* Returns the number of processes in a communicator (§6.4.1).
 * Errors: MPI_ERR_COMM, MPI_ERR_ARG. */
int PMPI_Comm_size(MPI_Comm comm, int *size)
{
    ENTER("MPI_Comm_size", comm, size);
    struct adi3_comm *c;

    TRY(mpir_local_comm_arg(&call, comm, &c));
    TRY(mpir_out_arg(size, "size"));
    *size = c->size;
    return mpir_leave(&call);
}
MPIR_WEAK(Comm_size);
