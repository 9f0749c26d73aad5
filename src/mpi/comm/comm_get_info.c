#include "mpi/comm/comm.h"
#include "mpi/info/info.h"

static int comm_info_get(const struct adi3_comm *c, MPI_Info *info)
{
    struct mpir_info *i;
    int err = mpir_info_new(&i);

    if (err)
        return err;
    err = mpir_hints_write(c->hints, i);
    if (err)
        mpir_info_free(i);
    else
        *info = i->handle;
    return err;
}

/* Returns a new info object with the hints of a communicator and their values (§6.4.4). It has all
 * hints that the library knows. The caller frees it.
 * Errors: MPI_ERR_COMM, MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Comm_get_info(MPI_Comm comm, MPI_Info *info_used)
{
    ENTER("MPI_Comm_get_info", comm, info_used);
    struct adi3_comm *c;

    TRY(mpir_local_comm_arg(&call, comm, &c));
    TRY(mpir_out_arg(info_used, "info_used"));
    TRY(comm_info_get(c, info_used));
    return mpir_leave(&call);
}
MPIR_WEAK(Comm_get_info);
