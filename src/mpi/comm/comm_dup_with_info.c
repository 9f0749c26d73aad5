#include "mpi/comm/comm.h"
#include "mpi/info/info.h"

/* Duplicates a communicator as MPI_Comm_dup does, with the hints of info (§6.4.2). Collective.
 * Errors: MPI_ERR_COMM, MPI_ERR_INFO, MPI_ERR_INFO_VALUE, MPI_ERR_ARG, MPI_ERR_NO_MEM; those of
 * copy functions. */
int PMPI_Comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm)
{
    ENTER("MPI_Comm_dup_with_info", comm, info, newcomm);
    struct adi3_comm *c, *made;
    struct mpir_info *i;
    uint8_t hints = 0;

    TRY(mpir_comm_arg(&call, comm, &c));
    TRY(mpir_info_or_null_arg(info, &i));
    TRY(mpir_hints_read(i, &hints));
    TRY(mpir_out_arg(newcomm, "newcomm"));
    TRY(mpir_comm_dup(c, &made));
    adi3_comm_set_hints(made, hints);
    *newcomm = made->handle;
    return mpir_leave(&call);
}
MPIR_WEAK(Comm_dup_with_info);
