#include "mpi/mpir.h"

/* Tests whether a communicator is an intercommunicator (§6.6.1).
 * Errors: MPI_ERR_COMM, MPI_ERR_ARG. */
int PMPI_Comm_test_inter(MPI_Comm comm, int *flag)
{
    ENTER("MPI_Comm_test_inter", comm, flag);
    struct adi3_comm *c;

    TRY(mpir_local_comm_arg(&call, comm, &c));
    TRY(mpir_out_arg(flag, "flag"));
    *flag = c->remote != NULL;
    return mpir_leave(&call);
}
MPIR_WEAK(Comm_test_inter);
