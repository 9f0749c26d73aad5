#include "comm/comm.h"

static int color_arg(int color)
{
    if (mpir_checking() && color < 0 && color != MPI_UNDEFINED)
        return mpir_error(MPI_ERR_ARG, "color %d is negative and not MPI_UNDEFINED", color);
    return MPI_SUCCESS;
}

/* Makes a communicator of the processes that give the same color, ranked by key, then by their rank
 * in comm; MPI_COMM_NULL for the color MPI_UNDEFINED. Of an intercommunicator one of those in both
 * groups who give it, and MPI_COMM_NULL where one group has none (§6.4.2). Collective.
 * Errors: MPI_ERR_COMM, MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *newcomm)
{
    ENTER("MPI_Comm_split", comm, color, key, newcomm);
    struct adi3_comm *c, *made;

    TRY(mpir_comm_arg(&call, comm, &c));
    TRY(color_arg(color));
    TRY(mpir_out_arg(newcomm, "newcomm"));
    TRY(mpir_comm_split(c, color, key, &made));
    *newcomm = made ? made->handle : MPI_COMM_NULL;
    return mpir_leave(&call);
}
MPIR_WEAK(Comm_split);
