#include "mpi/pt2pt/message.h"

/* Receives a message that MPI_Mprobe or MPI_Improbe matched (§3.8.3). Returns when it is in buf;
 * message becomes MPI_MESSAGE_NULL.
 * Errors: as MPI_Recv, and MPI_ERR_REQUEST for what is no message. */
int PMPI_Mrecv(void *buf, int count, MPI_Datatype datatype, MPI_Message *message,
               MPI_Status *status)
{
    ENTER("MPI_Mrecv", buf, count, datatype, message, status);
    struct adi3_request *r;
    struct adi3_data d;

    TRY(mpir_data_arg(buf, count, datatype, &d));
    TRY(mpir_out_arg(message, "message"));
    bool none = *message == MPI_MESSAGE_NO_PROC;
    if (!none)
        TRY(mpir_message_arg(&call, *message, &r));
    TRY(mpir_out_arg(status, "status"));
    if (none)
        TRY(adi3_recv(&d, MPI_PROC_NULL, MPI_ANY_TAG, &adi3_world, ADI3_STANDARD, status));
    else
        adi3_claim(r, &d);
    *message = MPI_MESSAGE_NULL;
    if (!none) {
        adi3_wait_done(r);
        TRY(adi3_request_finish(r, status));
    }
    return mpir_leave(&call);
}
MPIR_WEAK(Mrecv);
