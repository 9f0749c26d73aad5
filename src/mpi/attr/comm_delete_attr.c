#include "mpi/attr/attr.h"

/* Deletes an attribute value of a communicator, after the delete function of the key has returned
 * MPI_SUCCESS (§6.7.2). It is no error when there is no value.
 * Errors: MPI_ERR_COMM, MPI_ERR_KEYVAL, and what the function returns: then the value stays. */
int PMPI_Comm_delete_attr(MPI_Comm comm, int comm_keyval)
{
    ENTER("MPI_Comm_delete_attr", comm, comm_keyval);
    struct adi3_comm *c;

    TRY(mpir_local_comm_arg(&call, comm, &c));
    TRY(mpir_attribute_delete(mpir_comm_attr_holder(c), comm_keyval));
    return mpir_leave(&call);
}
MPIR_WEAK(Comm_delete_attr);
