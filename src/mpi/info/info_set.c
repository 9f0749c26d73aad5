#include <string.h>
#include "mpi/info/info.h"

static int value_arg(const char *key, const char *value)
{
    int err = mpir_out_arg(value, "value");

    if (!err && mpir_checking() && strnlen(value, MPI_MAX_INFO_VAL) == MPI_MAX_INFO_VAL)
        err = mpir_error(MPI_ERR_INFO_VALUE, "the value of '%s' has more than %d characters", key,
                         MPI_MAX_INFO_VAL - 1);
    return err;
}

/* Adds a key with a value to an info object, or replaces the value of a key that is there (§9). A
 * replaced value leaves the key its number. A key has 1 to MPI_MAX_INFO_KEY - 1 characters, a value
 * at most MPI_MAX_INFO_VAL - 1.
 * Errors: MPI_ERR_INFO, MPI_ERR_INFO_KEY, MPI_ERR_INFO_VALUE, MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Info_set(MPI_Info info, const char *key, const char *value)
{
    ENTER("MPI_Info_set", info, key, value);
    struct mpir_info *i;

    TRY(mpir_info_own_arg(info, &i));
    TRY(mpir_info_key_arg(key));
    TRY(value_arg(key, value));
    TRY(mpir_info_set(i, key, value));
    return mpir_leave(&call);
}
MPIR_WEAK(Info_set);
