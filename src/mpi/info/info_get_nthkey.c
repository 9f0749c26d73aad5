#include <string.h>
#include "mpi/info/info.h"

static int number_arg(const struct mpir_info *i, int n)
{
    if (n >= 0 && n < i->n)
        return MPI_SUCCESS;
    if (i->n == 0)
        return mpir_error(MPI_ERR_ARG, "n is %d, and there are no keys", n);
    return mpir_error(MPI_ERR_ARG, "n is %d, outside 0..%d", n, i->n - 1);
}

/* Returns the n-th key of an info object (§9). n counts from 0, in the order in which the keys were
 * set. key has room for MPI_MAX_INFO_KEY characters. The number and the order of keys may change
 * between two calls when another thread changes info, so a loop over the keys needs a lock of the
 * program around it.
 * Errors: MPI_ERR_INFO, MPI_ERR_ARG. */
int PMPI_Info_get_nthkey(MPI_Info info, int n, char *key)
{
    ENTER("MPI_Info_get_nthkey", info, n, key);
    struct mpir_info *i;

    TRY(mpir_info_arg(info, &i));
    TRY(number_arg(i, n));
    TRY(mpir_out_arg(key, "key"));
    const char *found = mpir_info_key(i, n);
    memcpy(key, found, strlen(found) + 1);
    return mpir_leave(&call);
}
MPIR_WEAK(Info_get_nthkey);
