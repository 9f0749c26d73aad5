#include <string.h>
#include "mpi/info/info.h"

static int length_arg(int valuelen)
{
    if (mpir_checking() && valuelen < 0)
        return mpir_error(MPI_ERR_ARG, "valuelen is negative: %d", valuelen);
    return MPI_SUCCESS;
}

/* Retrieves the value of a key of an info object (§9). value gets its first valuelen characters and
 * a null character; flag is false, and value is not changed, when there is no such key. When
 * another thread may change info, the length from MPI_Info_get_valuelen may no longer be right.
 * Errors: MPI_ERR_INFO, MPI_ERR_INFO_KEY, MPI_ERR_ARG. */
int PMPI_Info_get(MPI_Info info, const char *key, int valuelen, char *value, int *flag)
{
    ENTER("MPI_Info_get", info, key, valuelen, value, flag);
    struct mpir_info *i;

    TRY(mpir_info_arg(info, &i));
    TRY(mpir_info_key_arg(key));
    TRY(length_arg(valuelen));
    TRY(mpir_out_arg(value, "value"));
    TRY(mpir_out_arg(flag, "flag"));
    const char *found = mpir_info_get(i, key);
    *flag = found != NULL;
    if (found) {
        size_t len = strnlen(found, (size_t) valuelen);
        memcpy(value, found, len);
        value[len] = '\0';
    }
    return mpir_leave(&call);
}
MPIR_WEAK(Info_get);
