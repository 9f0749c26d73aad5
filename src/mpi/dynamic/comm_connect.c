#include "mpi/dynamic/dynamic.h"

enum { TIMEOUT_S = 180 };

/* Connects to a group of processes that calls MPI_Comm_accept at a port, and makes an
 * intercommunicator of both groups (§10.4.3). port_name and info count at root alone. The key
 * timeout of info is how many seconds root waits until it is accepted; without it, 180. Collective
 * over comm.
 * Errors: MPI_ERR_COMM, MPI_ERR_ROOT, MPI_ERR_ARG, MPI_ERR_INFO, MPI_ERR_INFO_VALUE; MPI_ERR_PORT,
 * at once when there is no such port or it is of this process, and when time is up; MPI_ERR_OTHER,
 * MPI_ERR_NO_MEM. */
int PMPI_Comm_connect(const char *port_name, MPI_Info info, int root, MPI_Comm comm,
                      MPI_Comm *newcomm)
{
    ENTER("MPI_Comm_connect", port_name, info, root, comm, newcomm);
    const struct mpir_port_call p = { .port_name = port_name,
                                      .info = info,
                                      .root = root,
                                      .seconds = TIMEOUT_S,
                                      .side = MPIR_PORT_CONNECT };
    struct adi3_comm *c;

    TRY(mpir_intra_arg(&call, comm, &c));
    TRY(mpir_root_arg(c, root));
    TRY(mpir_out_arg(newcomm, "newcomm"));
    TRY(mpir_port_call(c, &p, newcomm));
    return mpir_leave(&call);
}
MPIR_WEAK(Comm_connect);
