#include "mpi/attr/attr.h"

/* Retrieves the value of an attribute of a communicator (§15.1). The deprecated name of
 * MPI_Comm_get_attr.
 * Errors: MPI_ERR_COMM, MPI_ERR_KEYVAL, MPI_ERR_ARG. */
int PMPI_Attr_get(MPI_Comm comm, int keyval, void *attribute_val, int *flag)
{
    ENTER("MPI_Attr_get", comm, keyval, attribute_val, flag);
    struct adi3_comm *c;

    TRY(mpir_local_comm_arg(&call, comm, &c));
    TRY(mpir_comm_attribute_get(c, keyval, attribute_val, flag));
    return mpir_leave(&call);
}
MPIR_WEAK(Attr_get);
