#include "comm/comm.h"

/* Gives the group of comm, of an intercommunicator the local one, which is the caller's to free
 * (§6.3.2).
 * Errors: MPI_ERR_COMM, MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Comm_group(MPI_Comm comm, MPI_Group *group)
{
    ENTER("MPI_Comm_group", comm, group);
    struct adi3_comm *c;

    TRY(mpir_local_comm_arg(&call, comm, &c));
    TRY(mpir_out_arg(group, "group"));
    TRY(mpir_group_copy_out(c->group, group));
    return mpir_leave(&call);
}
MPIR_WEAK(Comm_group);
