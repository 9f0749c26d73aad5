#include <stdlib.h>
#include <string.h>
#include "mpi/comm/comm.h"

int mpir_comm_set_name(struct adi3_comm *c, const char *name)
{
    char *copy = strndup(name, MPI_MAX_OBJECT_NAME - 1);

    if (!copy)
        return adi3_no_memory("for a name");
    free(c->name);
    c->name = copy;
    return MPI_SUCCESS;
}

/* Sets the name of a communicator, in this process only (§6.8). A longer name is cut to
 * MPI_MAX_OBJECT_NAME - 1 characters.
 * Errors: MPI_ERR_COMM, MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Comm_set_name(MPI_Comm comm, const char *comm_name)
{
    ENTER("MPI_Comm_set_name", comm, comm_name);
    struct adi3_comm *c;

    TRY(mpir_local_comm_arg(&call, comm, &c));
    TRY(mpir_out_arg(comm_name, "comm_name"));
    TRY(mpir_comm_set_name(c, comm_name));
    return mpir_leave(&call);
}
MPIR_WEAK(Comm_set_name);
