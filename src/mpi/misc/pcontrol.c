#include "mpir.h"

/* Does nothing (§14.2.4): it is there for profiling tools to have one of their own.
 * Errors: none. */
int PMPI_Pcontrol(const int level, ...)
{
    (void) level;
    return MPI_SUCCESS;
}
MPIR_WEAK(Pcontrol);
