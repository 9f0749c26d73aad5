#include "mpi/mpir.h"

/* Starts a nonblocking send in buffered mode (§3.7.2). As MPI_Bsend, buf may be reused at once, so
 * request is complete.
 * Errors: as MPI_Bsend, and MPI_ERR_ARG. */
int PMPI_Ibsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                MPI_Request *request)
{
    ENTER("MPI_Ibsend", buf, count, datatype, dest, tag, comm, request);
    struct adi3_comm *c;
    struct adi3_data d;

    TRY(mpir_comm_arg(&call, comm, &c));
    TRY(mpir_data_arg(buf, count, datatype, &d));
    TRY(mpir_dest_arg(c, dest));
    TRY(mpir_send_tag_arg(tag));
    TRY(mpir_out_arg(request, "request"));
    TRY(adi3_bsend(&d, dest, tag, c));
    *request = ADI3_REQUEST_COMPLETE;
    return mpir_leave(&call);
}
MPIR_WEAK(Ibsend);
