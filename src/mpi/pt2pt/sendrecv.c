#include "mpi/mpir.h"

/* Sends a message and receives another one at the same time (§3.10). Returns when both are done.
 * Errors: as MPI_Send and MPI_Recv. */
int PMPI_Sendrecv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag,
                  void *recvbuf, int recvcount, MPI_Datatype recvtype, int source, int recvtag,
                  MPI_Comm comm, MPI_Status *status)
{
    ENTER("MPI_Sendrecv", sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype,
          source, recvtag, comm, status);
    struct adi3_comm *c;
    struct adi3_exchange x = {
        .dest = dest, .sendtag = sendtag, .source = source, .recvtag = recvtag
    };

    TRY(mpir_comm_arg(&call, comm, &c));
    TRY(mpir_data_arg(sendbuf, sendcount, sendtype, &x.out));
    TRY(mpir_dest_arg(c, dest));
    TRY(mpir_send_tag_arg(sendtag));
    TRY(mpir_data_arg(recvbuf, recvcount, recvtype, &x.in));
    TRY(mpir_source_arg(c, source));
    TRY(mpir_recv_tag_arg(c, recvtag));
    TRY(mpir_out_arg(status, "status"));
    TRY(adi3_sendrecv(&x, c, ADI3_STANDARD, status));
    return mpir_leave(&call);
}
MPIR_WEAK(Sendrecv);
