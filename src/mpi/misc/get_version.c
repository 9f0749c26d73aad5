#include "mpi/mpir.h"

/* Returns the version number of the MPI standard (§8.1.1). May be called before MPI_Init and after
 * MPI_Finalize, so no error handler is called.
 * Errors: MPI_ERR_ARG, which is returned. */
int PMPI_Get_version(int *version, int *subversion)
{
    if (!version || !subversion)
        return MPI_ERR_ARG;
    *version = MPI_VERSION;
    *subversion = MPI_SUBVERSION;
    return MPI_SUCCESS;
}
MPIR_WEAK(Get_version);
