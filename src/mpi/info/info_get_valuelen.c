#include <string.h>
#include "info.h"

/* Gives how many characters the value of key has, without the null character; flag is false, and
 * valuelen untouched, when there is no such key (§9).
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
