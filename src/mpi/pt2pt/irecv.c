#include "mpi/mpir.h"

__attribute__((noinline)) static int irecv_slow_path(void *buf, int count, MPI_Datatype datatype,
                                                     int source, int tag, MPI_Comm comm,
                                                     MPI_Request *request)
{
    ENTER("MPI_Irecv", buf, count, datatype, source, tag, comm, request);
    struct adi3_comm *c;
    struct adi3_data d;

    TRY(mpir_comm_arg(&call, comm, &c));
    TRY(mpir_data_arg(buf, count, datatype, &d));
    TRY(mpir_source_arg(c, source));
    TRY(mpir_recv_tag_arg(c, tag));
    TRY(mpir_out_arg(request, "request"));
    TRY(adi3_irecv(&d, source, tag, c, ADI3_STANDARD, request));
    return mpir_leave(&call);
}

/* Starts a nonblocking receive (§3.7.2). request completes when the message is in buf.
 * Errors: as MPI_Recv; MPI_ERR_TRUNCATE comes from the call that completes it. */
int PMPI_Irecv(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
               MPI_Request *request)
{
    struct adi3_comm *c = mpir_quick_comm(MPIR_NAME("MPI_Irecv"), comm);
    size_t len;

    if (c && mpir_quick_data(buf, count, datatype, &len) && request
        && ((unsigned) source < (unsigned) c->peers || (source == MPI_ANY_SOURCE && !c->hints))
        && ((unsigned) tag <= ADI3_TAG_UB || (tag == MPI_ANY_TAG && !c->hints))
        && adi3_irecv_quickly(c, source, tag, buf, len, request))
        return mpir_leave_quickly();
    return irecv_slow_path(buf, count, datatype, source, tag, comm, request);
}
MPIR_WEAK(Irecv);
