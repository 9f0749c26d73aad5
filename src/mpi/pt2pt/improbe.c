#include "mpi/mpir.h"

/* Tests for a message that matches and takes it out of matching, without waiting (§3.8.2). When
 * there is one, flag is true and message is its handle, which MPI_Mrecv or MPI_Imrecv receives. No
 * receive or probe of another thread gets that message.
 * Errors: as MPI_Iprobe. */
int PMPI_Improbe(int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message,
                 MPI_Status *status)
{
    ENTER("MPI_Improbe", source, tag, comm, flag, message, status);
    struct adi3_comm *c;
    MPI_Message found;

    TRY(mpir_comm_arg(&call, comm, &c));
    TRY(mpir_source_arg(c, source));
    TRY(mpir_recv_tag_arg(c, tag));
    TRY(mpir_out_arg(flag, "flag"));
    TRY(mpir_out_arg(message, "message"));
    TRY(mpir_out_arg(status, "status"));
    TRY(adi3_improbe(source, tag, c, &found, status));
    *flag = found != MPI_MESSAGE_NULL;
    if (*flag)
        *message = found;
    return mpir_leave(&call);
}
MPIR_WEAK(Improbe);
