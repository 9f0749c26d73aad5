#include "mpi/attr/attr.h"

/* Stores the value of an attribute of a communicator (§15.1). The deprecated name of
 * MPI_Comm_set_attr.
 * Errors: MPI_ERR_COMM, MPI_ERR_KEYVAL, MPI_ERR_NO_MEM, and the delete function's. */
int PMPI_Attr_put(MPI_Comm comm, int keyval, void *attribute_val)
{
    ENTER("MPI_Attr_put", comm, keyval, attribute_val);
    struct adi3_comm *c;

    TRY(mpir_local_comm_arg(&call, comm, &c));
    TRY(mpir_attribute_set(mpir_comm_attr_holder(c), keyval, attribute_val));
    return mpir_leave(&call);
}
MPIR_WEAK(Attr_put);
