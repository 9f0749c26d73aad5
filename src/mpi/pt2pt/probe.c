#include "mpi/mpir.h"

/* Waits for a message that matches, without receiving it (§3.8.1). status describes it. The next
 * receive for its source and tag gets it. With threads, another thread may receive the message
 * first; MPI_Mprobe prevents that.
 * Errors: MPI_ERR_COMM, MPI_ERR_RANK, MPI_ERR_TAG, MPI_ERR_ARG. */
int PMPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status *status)
{
    ENTER("MPI_Probe", source, tag, comm, status);
    struct adi3_comm *c;

    TRY(mpir_comm_arg(&call, comm, &c));
    TRY(mpir_source_arg(c, source));
    TRY(mpir_recv_tag_arg(c, tag));
    TRY(mpir_out_arg(status, "status"));
    TRY(adi3_probe(source, tag, c, status));
    return mpir_leave(&call);
}
MPIR_WEAK(Probe);
