#include "mpi/mpir.h"

/* Performs a blocking send in ready mode (§3.4). As MPI_Send, for a message whose receive is known
 * to be posted already.
 * Errors: as MPI_Send. */
int PMPI_Rsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm)
{
    ENTER("MPI_Rsend", buf, count, datatype, dest, tag, comm);
    struct adi3_comm *c;
    struct adi3_data d;

    TRY(mpir_comm_arg(&call, comm, &c));
    TRY(mpir_data_arg(buf, count, datatype, &d));
    TRY(mpir_dest_arg(c, dest));
    TRY(mpir_send_tag_arg(tag));
    TRY(adi3_send(&d, dest, tag, c, ADI3_READY));
    return mpir_leave(&call);
}
MPIR_WEAK(Rsend);
