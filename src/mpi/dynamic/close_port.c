#include "mpi/dynamic/dynamic.h"

/* Closes a port of this process (§10.4.2). Calls of MPI_Comm_accept of other threads, and of
 * MPI_Comm_connect that have not been accepted, end with MPI_ERR_PORT. What has been connected by
 * the port stays connected.
 * Errors: MPI_ERR_ARG; MPI_ERR_PORT when this process has no such port. */
int PMPI_Close_port(const char *port_name)
{
    ENTER("MPI_Close_port", port_name);

    TRY(mpir_out_arg(port_name, "port_name"));
    TRY(adi3_port_close(port_name));
    return mpir_leave(&call);
}
MPIR_WEAK(Close_port);
