#include "mpi/info/info.h"

/* Frees an info object and sets the handle to MPI_INFO_NULL (§9). Objects that were made with it
 * have copied what they need.
 * Errors: MPI_ERR_ARG, MPI_ERR_INFO, also for MPI_INFO_ENV. */
int PMPI_Info_free(MPI_Info *info)
{
    ENTER("MPI_Info_free", info);
    struct mpir_info *i;

    TRY(mpir_out_arg(info, "info"));
    TRY(mpir_info_own_arg(*info, &i));
    mpir_info_free(i);
    *info = MPI_INFO_NULL;
    return mpir_leave(&call);
}
MPIR_WEAK(Info_free);
