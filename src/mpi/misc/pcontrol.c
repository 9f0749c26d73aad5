#include "mpi/mpir.h"

/* Controls profiling (§14.2.4). It does nothing here; profiling libraries define their own.
 * Errors: none. */
int PMPI_Pcontrol(const int level, ...)
{
    (void) level;
    return MPI_SUCCESS;
}
MPIR_WEAK(Pcontrol);
