#include "mpi/attr/attr.h"

/* Deletes an attribute of a communicator (§15.1). The deprecated name of MPI_Comm_delete_attr.
 * Errors: MPI_ERR_COMM, MPI_ERR_KEYVAL, and the delete function's. */
int PMPI_Attr_delete(MPI_Comm comm, int keyval)
{
    ENTER("MPI_Attr_delete", comm, keyval);
    struct adi3_comm *c;

    TRY(mpir_local_comm_arg(&call, comm, &c));
    TRY(mpir_attribute_delete(mpir_comm_attr_holder(c), keyval));
    return mpir_leave(&call);
}
MPIR_WEAK(Attr_delete);
