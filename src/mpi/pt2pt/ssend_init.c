#include "mpi/mpir.h"

/* Creates a persistent request for a send in synchronous mode (§3.9). It is inactive until
 * MPI_Start.
 * Errors: as MPI_Ssend, and MPI_ERR_ARG; those of the send itself come from MPI_Start and from the
 * call that completes it. */
int PMPI_Ssend_init(const void *buf, int count, MPI_Datatype datatype, int dest, int tag,
                    MPI_Comm comm, MPI_Request *request)
{
    ENTER("MPI_Ssend_init", buf, count, datatype, dest, tag, comm, request);
    struct adi3_comm *c;
    struct adi3_data d;

    TRY(mpir_comm_arg(&call, comm, &c));
    TRY(mpir_data_arg(buf, count, datatype, &d));
    TRY(mpir_dest_arg(c, dest));
    TRY(mpir_send_tag_arg(tag));
    TRY(mpir_out_arg(request, "request"));
    TRY(adi3_send_init(&d, dest, tag, c, ADI3_SYNC, request));
    return mpir_leave(&call);
}
MPIR_WEAK(Ssend_init);
