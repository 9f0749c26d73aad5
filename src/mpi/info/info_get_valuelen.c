#include <string.h>
#include "mpi/info/info.h"

/* Retrieves the length of the value of a key of an info object (§9). It does not count the null
 * character. flag is false, and valuelen is not changed, when there is no such key. When another
 * thread may change info, the length may no longer be right in the next call.
 * Errors: MPI_ERR_INFO, MPI_ERR_INFO_KEY, MPI_ERR_ARG. */
int PMPI_Info_get_valuelen(MPI_Info info, const char *key, int *valuelen, int *flag)
{
    ENTER("MPI_Info_get_valuelen", info, key, valuelen, flag);
    struct mpir_info *i;

    TRY(mpir_info_arg(info, &i));
    TRY(mpir_info_key_arg(key));
    TRY(mpir_out_arg(valuelen, "valuelen"));
    TRY(mpir_out_arg(flag, "flag"));
    const char *found = mpir_info_get(i, key);
    *flag = found != NULL;
    if (found)
        *valuelen = (int) strlen(found);
    return mpir_leave(&call);
}
MPIR_WEAK(Info_get_valuelen);
