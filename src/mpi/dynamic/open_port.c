#include "mpi/dynamic/dynamic.h"
#include "mpi/info/info.h"

enum { IP_PORTS = 65535 };

/* Opens a port, at which MPI_Comm_accept takes connections, and sets its name: at most 255
 * characters, without blanks (§10.4.2). The name is a secret that both ends prove to each other:
 * any process that has it can connect. Keys of info: ip_address, an address, a network or an
 * interface of this host; ip_port, an IP port. The port is open until MPI_Close_port or
 * MPI_Finalize.
 * Errors: MPI_ERR_INFO, MPI_ERR_INFO_VALUE, MPI_ERR_ARG, MPI_ERR_PORT, MPI_ERR_NO_MEM. */
int PMPI_Open_port(MPI_Info info, char *port_name)
{
    ENTER("MPI_Open_port", info, port_name);
    const struct mpir_info_range ip_ports = { 1, IP_PORTS };
    struct adi3_port_options o = { .ip_port = 0 };
    struct mpir_info *i;

    TRY(mpir_info_or_null_arg(info, &i));
    TRY(mpir_out_arg(port_name, "port_name"));
    TRY(mpir_info_int(i, "ip_port", ip_ports, &o.ip_port));
    o.ip_address = mpir_info_get(i, "ip_address");
    TRY(adi3_port_open(&o, port_name));
    return mpir_leave(&call);
}
MPIR_WEAK(Open_port);
