#include "mpi/dynamic/dynamic.h"

/* Waits for a group of processes that calls MPI_Comm_connect, and makes an intercommunicator of
 * both groups (§10.4.2). Requests are queued while no call accepts, and taken one by one. port_name
 * and info count at root alone, whose process has opened the port. The key timeout of info is how
 * many seconds root waits; without it the call waits as long as the port is open. Collective over
 * comm.
 * Errors: MPI_ERR_COMM, MPI_ERR_ROOT, MPI_ERR_ARG, MPI_ERR_INFO, MPI_ERR_INFO_VALUE; MPI_ERR_PORT,
 * also when time is up and when another thread closes the port; MPI_ERR_OTHER, MPI_ERR_NO_MEM. */
int PMPI_Comm_accept(const char *port_name, MPI_Info info, int root, MPI_Comm comm,
                     MPI_Comm *newcomm)
{
    ENTER("MPI_Comm_accept", port_name, info, root, comm, newcomm);
    const struct mpir_port_call p = {
        .port_name = port_name, .info = info, .root = root, .seconds = -1, .side = MPIR_PORT_ACCEPT
    };
    struct adi3_comm *c;

    TRY(mpir_intra_arg(&call, comm, &c));
    TRY(mpir_root_arg(c, root));
    TRY(mpir_out_arg(newcomm, "newcomm"));
    TRY(mpir_port_call(c, &p, newcomm));
    return mpir_leave(&call);
}
MPIR_WEAK(Comm_accept);
