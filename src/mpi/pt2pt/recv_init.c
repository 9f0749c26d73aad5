#include "mpi/mpir.h"

/* Creates a persistent request for a receive (§3.9). It is inactive until MPI_Start.
 * Errors: as MPI_Irecv. */
int PMPI_Recv_init(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                   MPI_Request *request)
{
    ENTER("MPI_Recv_init", buf, count, datatype, source, tag, comm, request);
    struct adi3_comm *c;
    struct adi3_data d;

    TRY(mpir_comm_arg(&call, comm, &c));
    TRY(mpir_data_arg(buf, count, datatype, &d));
    TRY(mpir_source_arg(c, source));
    TRY(mpir_recv_tag_arg(c, tag));
    TRY(mpir_out_arg(request, "request"));
    TRY(adi3_recv_init(&d, source, tag, c, request));
    return mpir_leave(&call);
}
MPIR_WEAK(Recv_init);
