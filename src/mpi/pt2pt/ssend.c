#include "mpi/mpir.h"

/* Performs a blocking send in synchronous mode (§3.4). Returns when buf may be reused and the
 * matching receive has started.
 * Errors: as MPI_Send. */
int PMPI_Ssend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)
{
    ENTER("MPI_Ssend", buf, count, datatype, dest, tag, comm);
    struct adi3_comm *c;
    struct adi3_data d;

    TRY(mpir_comm_arg(&call, comm, &c));
    TRY(mpir_data_arg(buf, count, datatype, &d));
    TRY(mpir_dest_arg(c, dest));
    TRY(mpir_send_tag_arg(tag));
    TRY(adi3_send(&d, dest, tag, c, ADI3_SYNC));
    return mpir_leave(&call);
}
MPIR_WEAK(Ssend);
