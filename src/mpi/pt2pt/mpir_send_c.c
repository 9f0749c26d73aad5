#include "mpi/core/large.h"
#include "mpi/mpir.h"

/* MPI_Send with a count of type MPI_Count. */
int mpir_send_c(const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
                MPI_Comm comm)
{
    ENTER("MPI_Send_c", buf, count, datatype, dest, tag, comm);
    struct adi3_comm *c;
    struct adi3_data d;

    TRY(mpir_comm_arg(&call, comm, &c));
    TRY(mpir_data_arg(buf, count, datatype, &d));
    TRY(mpir_dest_arg(c, dest));
    TRY(mpir_send_tag_arg(tag));
    TRY(adi3_send(&d, dest, tag, c, ADI3_STANDARD));
    return mpir_leave(&call);
}
