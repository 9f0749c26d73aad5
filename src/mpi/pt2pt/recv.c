#include "mpi/mpir.h"

/* Performs a blocking receive of one message of at most count elements (§3.2.4). Returns when it is
 * in buf.
 * Errors: MPI_ERR_COMM, MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_BUFFER, MPI_ERR_RANK, MPI_ERR_TAG,
 * MPI_ERR_ARG, MPI_ERR_TRUNCATE when the message is longer: then what fits is in buf. */
int PMPI_Recv(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
              MPI_Status *status)
{
    ENTER("MPI_Recv", buf, count, datatype, source, tag, comm, status);
    struct adi3_comm *c;
    struct adi3_data d;

    TRY(mpir_comm_arg(&call, comm, &c));
    TRY(mpir_data_arg(buf, count, datatype, &d));
    TRY(mpir_source_arg(c, source));
    TRY(mpir_recv_tag_arg(c, tag));
    TRY(mpir_out_arg(status, "status"));
    TRY(adi3_recv(&d, source, tag, c, ADI3_STANDARD, status));
    return mpir_leave(&call);
}
MPIR_WEAK(Recv);
