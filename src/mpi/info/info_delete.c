#include "mpi/info/info.h"

/* Deletes a key and its value from an info object (§9). The number of each key behind it becomes
 * one less, so another thread that steps through the keys must not do so at the same time.
 * Errors: MPI_ERR_INFO, MPI_ERR_INFO_KEY, MPI_ERR_INFO_NOKEY. */
int PMPI_Info_delete(MPI_Info info, const char *key)
{
    ENTER("MPI_Info_delete", info, key);
    struct mpir_info *i;

    TRY(mpir_info_own_arg(info, &i));
    TRY(mpir_info_key_arg(key));
    if (!mpir_info_remove(i, key))
        TRY(mpir_error(MPI_ERR_INFO_NOKEY, "there is no key '%s'", key));
    return mpir_leave(&call);
}
MPIR_WEAK(Info_delete);
