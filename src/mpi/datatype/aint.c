#include "mpi/mpir.h"

/* Returns the sum of an address and a displacement in bytes (§4.1.5). Addresses are unsigned and
 * may wrap. Any thread may call it at any time. */
MPI_Aint PMPI_Aint_add(MPI_Aint base, MPI_Aint disp)
{
    return (MPI_Aint) ((uintptr_t) base + (uintptr_t) disp);
}
MPIR_WEAK(Aint_add);

/* Returns the distance in bytes from addr2 to addr1 (§4.1.5). Addresses are unsigned and may wrap.
 * Any thread may call it at any time. */
MPI_Aint PMPI_Aint_diff(MPI_Aint addr1, MPI_Aint addr2)
{
    return (MPI_Aint) ((uintptr_t) addr1 - (uintptr_t) addr2);
}
MPIR_WEAK(Aint_diff);
