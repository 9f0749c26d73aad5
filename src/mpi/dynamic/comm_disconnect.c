#include "mpi/attr/attr.h"
#include "mpi/comm/comm.h"
#include "mpi/dynamic/dynamic.h"

static int disconnect_arg(const struct adi3_comm *c)
{
    if (c != &adi3_world && c != &adi3_self)
        return MPI_SUCCESS;
    return mpir_error(MPI_ERR_COMM, "%s may not be disconnected",
                      c == &adi3_world ? "MPI_COMM_WORLD" : "MPI_COMM_SELF");
}

/* Waits until all pending communication of a communicator is complete in this process, frees it,
 * and sets the handle to MPI_COMM_NULL (§10.5.4). Processes of different jobs that have no other
 * communicator, window or file in common are independent afterwards: none ends because the other
 * does. The delete functions of its attributes are called first; when one of them fails, the
 * communicator stays. Collective.
 * Errors: MPI_ERR_ARG; MPI_ERR_COMM, also for MPI_COMM_WORLD and MPI_COMM_SELF; those of delete
 * functions, and of processes that have failed. */
int PMPI_Comm_disconnect(MPI_Comm *comm)
{
    ENTER("MPI_Comm_disconnect", comm);
    struct adi3_comm *c;

    TRY(mpir_out_arg(comm, "comm"));
    TRY(mpir_comm_arg(&call, *comm, &c));
    TRY(disconnect_arg(c));
    TRY(mpir_attributes_delete(mpir_comm_attr_holder(c)));
    c->closed = ADI3_FREED;
    *comm = MPI_COMM_NULL;
    TRY(mpir_disconnect(c));
    return mpir_leave(&call);
}
MPIR_WEAK(Comm_disconnect);
