#include "mpi/comm/comm.h"
#include "mpi/info/info.h"

/* Starts to duplicate a communicator as MPI_Comm_idup does, with the hints that info has now
 * (§6.4.2). Collective, but waits for no other process.
 * Errors: MPI_ERR_COMM, MPI_ERR_INFO, MPI_ERR_INFO_VALUE, MPI_ERR_ARG, MPI_ERR_NO_MEM; those of
 * copy functions. */
int PMPI_Comm_idup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm *newcomm, MPI_Request *request)
{
    ENTER("MPI_Comm_idup_with_info", comm, info, newcomm, request);
    struct adi3_comm *c, *made;
    struct mpir_info *i;
    MPI_Request begun;
    uint8_t hints = 0;

    TRY(mpir_comm_arg(&call, comm, &c));
    TRY(mpir_info_or_null_arg(info, &i));
    TRY(mpir_hints_read(i, &hints));
    TRY(mpir_out_arg(newcomm, "newcomm"));
    TRY(mpir_out_arg(request, "request"));
    TRY(mpir_comm_idup(c, &made, &begun));
    adi3_comm_set_hints(made, hints);
    *newcomm = made->handle;
    *request = begun;
    return mpir_leave(&call);
}
MPIR_WEAK(Comm_idup_with_info);
