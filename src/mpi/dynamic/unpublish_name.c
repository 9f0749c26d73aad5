#include "mpi/info/info.h"

/* Takes back what a process of this job has published (§10.4.4). port_name and the keys of info are
 * not looked at.
 * Errors: MPI_ERR_SERVICE when this job has not published the name; MPI_ERR_INFO, MPI_ERR_ARG. */
int PMPI_Unpublish_name(const char *service_name, MPI_Info info, const char *port_name)
{
    ENTER("MPI_Unpublish_name", service_name, info, port_name);
    struct mpir_info *i;

    TRY(mpir_out_arg(service_name, "service_name"));
    TRY(mpir_info_or_null_arg(info, &i));
    TRY(mpir_out_arg(port_name, "port_name"));
    TRY(adi3_name_unpublish(service_name));
    return mpir_leave(&call);
}
MPIR_WEAK(Unpublish_name);
