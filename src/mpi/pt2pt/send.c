#include "mpi/mpir.h"

__attribute__((noinline)) static int
send_slow_path(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)
{
    ENTER("MPI_Send", buf, count, datatype, dest, tag, comm);
    struct adi3_comm *c;
    struct adi3_data d;

    TRY(mpir_comm_arg(&call, comm, &c));
    TRY(mpir_data_arg(buf, count, datatype, &d));
    TRY(mpir_dest_arg(c, dest));
    TRY(mpir_send_tag_arg(tag));
    TRY(adi3_send(&d, dest, tag, c, ADI3_STANDARD));
    return mpir_leave(&call);
}

/* Performs a blocking send of count elements (§3.2.1). Returns when buf may be reused, perhaps
 * before the message has arrived.
 * Errors: MPI_ERR_COMM, MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_BUFFER, MPI_ERR_RANK, MPI_ERR_TAG. */
int PMPI_Send(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)
{
    MPIR_SAVE(buf);
    MPIR_SAVE(count);
    MPIR_SAVE(datatype);
    MPIR_SAVE(dest);
    MPIR_SAVE(tag);
    MPIR_SAVE(comm);
    struct adi3_comm *c = mpir_quick_comm(MPIR_NAME("MPI_Send"), comm);
    size_t len;

    if (c && mpir_quick_data(buf, count, datatype, &len) && (unsigned) dest < (unsigned) c->peers
        && (unsigned) tag <= ADI3_TAG_UB) {
        int rc = adi3_inject(c, dest, tag, buf, len, ADI3_STANDARD);
        if (!rc)
            return mpir_leave_quickly();
        adi3_refused(rc);
    }
    return send_slow_path(buf_saved, count_saved, datatype_saved, dest_saved, tag_saved,
                          comm_saved);
}
MPIR_WEAK(Send);
