#include "mpi/comm/comm.h"

/* Duplicates a communicator with all its cached information (§6.4.2). The new one has the same
 * group or groups and the same topology, and a context of its own: no message of one is received in
 * the other. Attributes are copied by the copy functions of their keys; info hints are not copied.
 * The copy functions run in this call while other threads may use comm, and they see the attributes
 * that comm has at that time. Collective.
 * Errors: MPI_ERR_COMM, MPI_ERR_ARG, MPI_ERR_NO_MEM; those of copy functions. */
int PMPI_Comm_dup(MPI_Comm comm, MPI_Comm *newcomm)
{
    ENTER("MPI_Comm_dup", comm, newcomm);
    struct adi3_comm *c, *made;

    TRY(mpir_comm_arg(&call, comm, &c));
    TRY(mpir_out_arg(newcomm, "newcomm"));
    TRY(mpir_comm_dup(c, &made));
    *newcomm = made->handle;
    return mpir_leave(&call);
}
MPIR_WEAK(Comm_dup);
