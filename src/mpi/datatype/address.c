#include "mpi/mpir.h"

/* Returns the address of a location in memory (§16.1). The name of MPI_Get_address that MPI 3.0
 * removed.
 * Errors: MPI_ERR_ARG. */
int PMPI_Address(void *location, MPI_Aint *address)
{
    ENTER("MPI_Address", location, address);

    TRY(mpir_out_arg(address, "address"));
    *address = (MPI_Aint) (uintptr_t) location;
    return mpir_leave(&call);
}
MPIR_WEAK(Address);
