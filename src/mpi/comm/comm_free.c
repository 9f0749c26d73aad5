#include "mpi/attr/attr.h"

static int free_arg(const struct adi3_comm *c)
{
    if (c != &adi3_world && c != &adi3_self)
        return MPI_SUCCESS;
    return mpir_error(MPI_ERR_COMM, "%s may not be freed",
                      c == &adi3_world ? "MPI_COMM_WORLD" : "MPI_COMM_SELF");
}

/* Marks a communicator for deallocation and sets the handle to MPI_COMM_NULL (§6.4.3).
 * Communication that is pending in it ends normally. The delete functions of its attributes are
 * called first; when one of them fails, the communicator stays. No other thread may use the
 * communicator in a call that begins afterwards. Collective, but waits for no other process.
 * Errors: MPI_ERR_ARG, MPI_ERR_COMM; those of delete functions. */
int PMPI_Comm_free(MPI_Comm *comm)
{
    ENTER("MPI_Comm_free", comm);
    struct adi3_comm *c;

    TRY(mpir_out_arg(comm, "comm"));
    TRY(mpir_comm_arg(&call, *comm, &c));
    TRY(free_arg(c));
    TRY(mpir_attributes_delete(mpir_comm_attr_holder(c)));
    c->closed = ADI3_FREED;
    adi3_comm_release(c);
    *comm = MPI_COMM_NULL;
    return mpir_leave(&call);
}
MPIR_WEAK(Comm_free);
