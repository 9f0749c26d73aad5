#include "mpi/mpir.h"

/* Waits for a message that matches and takes it out of matching (§3.8.2). Only MPI_Mrecv or
 * MPI_Imrecv with this handle receives the message; no receive or probe of another thread gets it.
 * Errors: as MPI_Probe. */
int PMPI_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status)
{
    ENTER("MPI_Mprobe", source, tag, comm, message, status);
    struct adi3_comm *c;
    MPI_Message found;

    TRY(mpir_comm_arg(&call, comm, &c));
    TRY(mpir_source_arg(c, source));
    TRY(mpir_recv_tag_arg(c, tag));
    TRY(mpir_out_arg(message, "message"));
    TRY(mpir_out_arg(status, "status"));
    TRY(adi3_mprobe(source, tag, c, &found, status));
    *message = found;
    return mpir_leave(&call);
}
MPIR_WEAK(Mprobe);
