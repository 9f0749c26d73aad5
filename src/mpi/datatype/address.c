#include "mpir.h"

/* MPI_Get_address under the name that MPI 3.0 removed (§16.1).
 * Errors: MPI_ERR_ARG. */
int PMPI_Address(void *location, MPI_Aint *address)
{
    ENTER("MPI_Address", location, address);

    TRY(mpir_out_arg(address, "address"));
    *address = (MPI_Aint) (uintptr_t) location;
    return mpir_leave(&call);
}
MPIR_WEAK(Address);
