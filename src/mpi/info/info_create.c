#include "mpi/info/info.h"

static int info_handle_create(MPI_Info *info)
{
    struct mpir_info *i;
    int err = mpir_info_new(&i);

    if (!err)
        *info = i->handle;
    return err;
}

/* Creates a new info object without keys (§9).
 * Errors: MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Info_create(MPI_Info *info)
{
    ENTER("MPI_Info_create", info);

    TRY(mpir_out_arg(info, "info"));
    TRY(info_handle_create(info));
    return mpir_leave(&call);
}
MPIR_WEAK(Info_create);
