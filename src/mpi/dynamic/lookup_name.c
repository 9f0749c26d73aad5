#include "mpi/info/info.h"

/* Finds the port that is published under the name of a service (§10.4.4). It does not wait until
 * there is one. port_name must have room for MPI_MAX_PORT_NAME characters. No key of info has a
 * meaning.
 * Errors: MPI_ERR_NAME when the name is not published; MPI_ERR_INFO, MPI_ERR_ARG. */
int PMPI_Lookup_name(const char *service_name, MPI_Info info, char *port_name)
{
    ENTER("MPI_Lookup_name", service_name, info, port_name);
    struct mpir_info *i;

    TRY(mpir_out_arg(service_name, "service_name"));
    TRY(mpir_info_or_null_arg(info, &i));
    TRY(mpir_out_arg(port_name, "port_name"));
    TRY(adi3_name_lookup(service_name, port_name, MPI_MAX_PORT_NAME));
    return mpir_leave(&call);
}
MPIR_WEAK(Lookup_name);
