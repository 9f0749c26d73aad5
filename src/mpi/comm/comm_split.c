#include "mpi/comm/comm.h"

static int color_arg(int color)
{
    if (mpir_checking() && color < 0 && color != MPI_UNDEFINED)
        return mpir_error(MPI_ERR_ARG, "color %d is negative and not MPI_UNDEFINED", color);
    return MPI_SUCCESS;
}

/* Creates new communicators from the processes of comm, one for each color (§6.4.2). Processes with
 * the same color get the same communicator, where they are ranked by key, then by their rank in
 * comm. A process with the color MPI_UNDEFINED gets MPI_COMM_NULL. When comm is an
 * intercommunicator, each new one has the processes of that color in both groups, and they get
 * MPI_COMM_NULL when one group has none. Collective.
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
