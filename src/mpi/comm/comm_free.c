#include "attr/attr.h"

static int free_arg(const struct adi3_comm *c)
{
    if (c != &adi3_world && c != &adi3_self)
        return MPI_SUCCESS;
    return mpir_error(MPI_ERR_COMM, "%s may not be freed",
                      c == &adi3_world ? "MPI_COMM_WORLD" : "MPI_COMM_SELF");
}

/* Gives up a communicator and sets it to MPI_COMM_NULL; what goes on in it ends normally. Calls the
 * delete functions of its attributes first; when one of them fails the communicator stays (§6.4.3).
 * Collective, but waits for nobody.
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
