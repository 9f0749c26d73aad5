#include "mpi/info/info.h"

static int dup_info(const struct mpir_info *i, MPI_Info *newinfo)
{
    struct mpir_info *copy;
    int err = mpir_info_copy(i, &copy);

    if (!err)
        *newinfo = copy->handle;
    return err;
}

/* Duplicates an info object, with the same keys and values in the same order (§9).
 * Errors: MPI_ERR_INFO, MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Info_dup(MPI_Info info, MPI_Info *newinfo)
{
    ENTER("MPI_Info_dup", info, newinfo);
    struct mpir_info *i;

    TRY(mpir_info_arg(info, &i));
    TRY(mpir_out_arg(newinfo, "newinfo"));
    TRY(dup_info(i, newinfo));
    return mpir_leave(&call);
}
MPIR_WEAK(Info_dup);
