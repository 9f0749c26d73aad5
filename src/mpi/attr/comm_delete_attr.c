#include "attr.h"

/* Takes a value off a communicator, once the key's delete function has agreed; none there is fine
 * (§6.7.2).
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
