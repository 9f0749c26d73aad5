#include "mpi/mpir.h"

/* Starts a nonblocking send in synchronous mode (§3.7.2). request completes when buf may be reused
 * and the matching receive has started.
 * Errors: as MPI_Isend. */
int PMPI_Issend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                MPI_Request *request)
{
    ENTER("MPI_Issend", buf, count, datatype, dest, tag, comm, request);
    struct adi3_comm *c;
    struct adi3_data d;

    TRY(mpir_comm_arg(&call, comm, &c));
    TRY(mpir_data_arg(buf, count, datatype, &d));
    TRY(mpir_dest_arg(c, dest));
    TRY(mpir_send_tag_arg(tag));
    TRY(mpir_out_arg(request, "request"));
    TRY(adi3_isend(&d, dest, tag, c, ADI3_SYNC, request));
    return mpir_leave(&call);
}
MPIR_WEAK(Issend);
