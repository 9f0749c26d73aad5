#include "mpi/mpir.h"

/* Sends the message in buf and receives another one into the same buffer (§3.10). Data that cannot
 * be sent at once is copied.
 * Errors: as MPI_Sendrecv. */
int PMPI_Sendrecv_replace(void *buf, int count, MPI_Datatype datatype, int dest, int sendtag,
                          int source, int recvtag, MPI_Comm comm, MPI_Status *status)
{
    ENTER("MPI_Sendrecv_replace", buf, count, datatype, dest, sendtag, source, recvtag, comm,
          status);
    struct adi3_comm *c;
    struct adi3_data d;
    const struct adi3_exchange x = {
        .dest = dest, .sendtag = sendtag, .source = source, .recvtag = recvtag
    };

    TRY(mpir_comm_arg(&call, comm, &c));
    TRY(mpir_data_arg(buf, count, datatype, &d));
    TRY(mpir_dest_arg(c, dest));
    TRY(mpir_send_tag_arg(sendtag));
    TRY(mpir_source_arg(c, source));
    TRY(mpir_recv_tag_arg(c, recvtag));
    TRY(mpir_out_arg(status, "status"));
    TRY(adi3_sendrecv_replace(&d, &x, c, status));
    return mpir_leave(&call);
}
MPIR_WEAK(Sendrecv_replace);
