#include <string.h>
#include "mpi/mpir.h"

static const char text[] =
    "Starling MPI " STARLING_VERSION ", " STARLING_BUILD ", with the binary interface of MPICH";

/* Returns the version of this library as text (§8.1.1). version has room for
 * MPI_MAX_LIBRARY_VERSION_STRING characters. May be called before MPI_Init and after MPI_Finalize,
 * so no error handler is called.
 * Errors: MPI_ERR_ARG, which is returned. */
int PMPI_Get_library_version(char *version, int *resultlen)
{
    _Static_assert(sizeof text <= MPI_MAX_LIBRARY_VERSION_STRING, "too many devices");
    if (!version || !resultlen)
        return MPI_ERR_ARG;
    memcpy(version, text, sizeof text);
    *resultlen = sizeof text - 1;
    return MPI_SUCCESS;
}
MPIR_WEAK(Get_library_version);
