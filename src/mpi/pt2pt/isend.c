#include "mpi/mpir.h"

__attribute__((noinline)) static int isend_slow_path(const void *buf, int count,
                                                     MPI_Datatype datatype, int dest, int tag,
                                                     MPI_Comm comm, MPI_Request *request)
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
    MPIR_SAVE(buf);
    MPIR_SAVE(count);
    MPIR_SAVE(datatype);
    MPIR_SAVE(dest);
    MPIR_SAVE(tag);
    MPIR_SAVE(comm);
    MPIR_SAVE(request);
    struct adi3_comm *c = mpir_quick_comm(MPIR_NAME("MPI_Isend"), comm);
    size_t len;

    if (c && mpir_quick_data(buf, count, datatype, &len) && request
        && (unsigned) dest < (unsigned) c->peers && (unsigned) tag <= ADI3_TAG_UB) {
        int rc = adi3_inject(c, dest, tag, buf, len, ADI3_STANDARD);
        if (!rc) {
            *request_saved = ADI3_REQUEST_COMPLETE;
            return mpir_leave_quickly();
        }
        adi3_refused(rc);
    }
    return isend_slow_path(buf_saved, count_saved, datatype_saved, dest_saved, tag_saved,
                           comm_saved, request_saved);
}
MPIR_WEAK(Isend);
