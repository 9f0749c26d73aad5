#include "comm/comm.h"

/* Makes a communicator of the same group or groups as comm that never meets comm's messages, with
 * comm's topology and the attributes that their copy functions give it; info hints are not copied
 * (§6.4.2). Collective.
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
