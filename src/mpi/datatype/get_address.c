#include "mpi/mpir.h"

/* Returns the address of a location in memory (§4.1.5). The location may be anywhere.
 * Errors: MPI_ERR_ARG. */
int PMPI_Get_address(const void *location, MPI_Aint *address)
{
    ENTER("MPI_Get_address", location, address);

    TRY(mpir_out_arg(address, "address"));
    *address = (MPI_Aint) (uintptr_t) location;
    return mpir_leave(&call);
}
MPIR_WEAK(Get_address);
