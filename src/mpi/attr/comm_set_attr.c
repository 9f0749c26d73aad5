#include "mpi/attr/attr.h"

/* Stores an attribute value on a communicator (§6.7.2). A value that the key already has there is
 * deleted first, by the delete function of the key.
 * Errors: MPI_ERR_COMM, MPI_ERR_KEYVAL, MPI_ERR_NO_MEM, and what the key's delete function returns:
 * then the old value stays. */
int PMPI_Comm_set_attr(MPI_Comm comm, int comm_keyval, void *attribute_val)
{
    ENTER("MPI_Comm_set_attr", comm, comm_keyval, attribute_val);
    struct adi3_comm *c;

    TRY(mpir_local_comm_arg(&call, comm, &c));
    TRY(mpir_attribute_set(mpir_comm_attr_holder(c), comm_keyval, attribute_val));
    return mpir_leave(&call);
}
MPIR_WEAK(Comm_set_attr);
