#include "mpi/mpir.h"

/* Returns the rank of the calling process in a communicator (§6.4.1).
 * Errors: MPI_ERR_COMM, MPI_ERR_ARG. */
int PMPI_Comm_rank(MPI_Comm comm, int *rank)
{
    ENTER("MPI_Comm_rank", comm, rank);
    struct adi3_comm *c;

    TRY(mpir_local_comm_arg(&call, comm, &c));
    TRY(mpir_out_arg(rank, "rank"));
    *rank = c->rank;
    return mpir_leave(&call);
}
MPIR_WEAK(Comm_rank);
