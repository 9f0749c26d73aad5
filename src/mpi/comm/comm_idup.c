#include "mpi/comm/comm.h"

/* Starts to duplicate a communicator as MPI_Comm_dup does, and returns without waiting (§6.4.2).
 * The attributes are copied in this call. Until request is complete newcomm can be used only by
 * calls that send no message: those for its rank, size, groups, name, attributes, hints, error
 * handler and topology. Collective, but waits for no other process.
 * Errors: MPI_ERR_COMM, MPI_ERR_ARG, MPI_ERR_NO_MEM; those of copy functions. */
int PMPI_Comm_idup(MPI_Comm comm, MPI_Comm *newcomm, MPI_Request *request)
{
    ENTER("MPI_Comm_idup", comm, newcomm, request);
    struct adi3_comm *c, *made;
    MPI_Request begun;

    TRY(mpir_comm_arg(&call, comm, &c));
    TRY(mpir_out_arg(newcomm, "newcomm"));
    TRY(mpir_out_arg(request, "request"));
    TRY(mpir_comm_idup(c, &made, &begun));
    *newcomm = made->handle;
    *request = begun;
    return mpir_leave(&call);
}
MPIR_WEAK(Comm_idup);
