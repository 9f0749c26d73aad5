#include <string.h>
#include "mpi/info/info.h"

/* A port as MPI_Open_port has written it fits where MPI_Lookup_name will write it. */
static int port_text_arg(const char *port_name)
{
    size_t len = strlen(port_name);

    if (mpir_checking() && (!len || len >= MPI_MAX_PORT_NAME))
        return mpir_error(MPI_ERR_PORT, "port_name has %zu characters: it needs 1 to %d", len,
                          MPI_MAX_PORT_NAME - 1);
    return MPI_SUCCESS;
}

/* Publishes a port under the name of a service (§10.4.4): other jobs of the same launcher find it,
 * and all that use the same server of names (STARLING_NAMESERVER). It is known until
 * MPI_Unpublish_name, at the longest until the job ends. No key of info has a meaning.
 * Errors: MPI_ERR_SERVICE, also when the name is published already; MPI_ERR_PORT, MPI_ERR_INFO,
 * MPI_ERR_ARG. */
int PMPI_Publish_name(const char *service_name, MPI_Info info, const char *port_name)
{
    ENTER("MPI_Publish_name", service_name, info, port_name);
    struct mpir_info *i;

    TRY(mpir_out_arg(service_name, "service_name"));
    TRY(mpir_info_or_null_arg(info, &i));
    TRY(mpir_out_arg(port_name, "port_name"));
    TRY(port_text_arg(port_name));
    TRY(adi3_name_publish(service_name, port_name));
    return mpir_leave(&call);
}
MPIR_WEAK(Publish_name);
