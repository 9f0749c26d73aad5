#include "mpi/mpir.h"

/* Performs a send in buffered mode (§3.4, §3.6). The message is copied to the attached buffer, from
 * where it is sent when its receiver wants it; the call returns at once.
 * Errors: as MPI_Send, and MPI_ERR_BUFFER when the buffer has no room for it. */
int PMPI_Bsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)
{
    ENTER("MPI_Bsend", buf, count, datatype, dest, tag, comm);
    struct adi3_comm *c;
    struct adi3_data d;

    TRY(mpir_comm_arg(&call, comm, &c));
    TRY(mpir_data_arg(buf, count, datatype, &d));
    TRY(mpir_dest_arg(c, dest));
    TRY(mpir_send_tag_arg(tag));
    TRY(adi3_bsend(&d, dest, tag, c));
    return mpir_leave(&call);
}
MPIR_WEAK(Bsend);
