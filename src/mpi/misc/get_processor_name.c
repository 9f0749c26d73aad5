#include <string.h>
#include "mpi/mpir.h"

/* Returns the name of the host (§8.1.2). name has room for MPI_MAX_PROCESSOR_NAME characters.
 * Errors: MPI_ERR_ARG. */
int PMPI_Get_processor_name(char *name, int *resultlen)
{
    ENTER("MPI_Get_processor_name", name, resultlen);

    TRY(mpir_out_arg(name, "name"));
    TRY(mpir_out_arg(resultlen, "resultlen"));
    const char *host = adi3_hostname();
    size_t len = strnlen(host, MPI_MAX_PROCESSOR_NAME - 1);
    memcpy(name, host, len);
    name[len] = '\0';
    *resultlen = (int) len;
    return mpir_leave(&call);
}
MPIR_WEAK(Get_processor_name);
