#include "mpi/mpir.h"

/* Tests for a message that matches, without receiving it and without waiting (§3.8.1). status is
 * set only when there is one. With threads, another thread may receive the message first;
 * MPI_Improbe prevents that.
 * Errors: as MPI_Probe. */
int PMPI_Iprobe(int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status)
{
    ENTER("MPI_Iprobe", source, tag, comm, flag, status);
    struct adi3_comm *c;
    bool found;

    TRY(mpir_comm_arg(&call, comm, &c));
    TRY(mpir_source_arg(c, source));
    TRY(mpir_recv_tag_arg(c, tag));
    TRY(mpir_out_arg(flag, "flag"));
    TRY(mpir_out_arg(status, "status"));
    TRY(adi3_iprobe(source, tag, c, &found, status));
    *flag = found;
    return mpir_leave(&call);
}
MPIR_WEAK(Iprobe);
