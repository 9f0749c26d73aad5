#include "mpir.h"

__attribute__((noinline)) static int isend(const void *buf, int count, MPI_Datatype datatype,
                                           int dest, int tag, MPI_Comm comm, MPI_Request *request)
{
    ENTER("MPI_Isend", buf, count, datatype, dest, tag, comm, request);
    struct adi3_comm *c;
    struct adi3_data d;

    TRY(mpir_comm_arg(&call, comm, &c));
    TRY(mpir_data_arg(buf, count, datatype, &d));
    TRY(mpir_dest_arg(c, dest));
    TRY(mpir_send_tag_arg(tag));
    TRY(mpir_out_arg(request, "request"));
    TRY(adi3_isend(&d, dest, tag, c, ADI3_STANDARD, request));
    return mpir_leave(&call);
}

/* Starts a nonblocking send (§3.7.2). request completes when buf may be reused, perhaps before the
 * message has arrived.
 * Errors: as MPI_Send, and MPI_ERR_ARG. */
int PMPI_Isend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
               MPI_Request *request)
{
    MPIR_KEEP(buf);
    MPIR_KEEP(count);
    MPIR_KEEP(datatype);
    MPIR_KEEP(dest);
    MPIR_KEEP(tag);
    MPIR_KEEP(comm);
    MPIR_KEEP(request);
    struct adi3_comm *c = mpir_quick_comm("MPI_Isend", comm);
    size_t len;
    int rc;

    if (c && mpir_quick_data(buf, count, datatype, &len) && request
        && (unsigned) dest < (unsigned) c->peers && (unsigned) tag <= ADI3_TAG_UB) {
        if (!(rc = adi3_inject(c, dest, tag, buf, len, ADI3_STANDARD))) {
            *request_kept = ADI3_REQUEST_COMPLETE;
            return MPI_SUCCESS;
        }
        adi3_refused(rc);
    }
    return isend(buf_kept, count_kept, datatype_kept, dest_kept, tag_kept, comm_kept, request_kept);
}
MPIR_WEAK(Isend);
