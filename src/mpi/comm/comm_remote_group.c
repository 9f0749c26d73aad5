#include "mpi/comm/comm.h"

/* Returns the remote group of an intercommunicator (§6.6.1). The caller frees it.
 * Errors: MPI_ERR_COMM, MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Comm_remote_group(MPI_Comm comm, MPI_Group *group)
{
    ENTER("MPI_Comm_remote_group", comm, group);
    struct adi3_comm *c;

    TRY(mpir_local_comm_arg(&call, comm, &c));
    TRY(mpir_is_inter_arg(c));
    TRY(mpir_out_arg(group, "group"));
    TRY(mpir_group_copy_out(c->remote, group));
    return mpir_leave(&call);
}
MPIR_WEAK(Comm_remote_group);
