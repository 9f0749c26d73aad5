#include "mpi/pt2pt/message.h"

/* Starts a nonblocking receive of a message that MPI_Mprobe or MPI_Improbe matched (§3.8.3).
 * request completes when the message is in buf.
 * Errors: as MPI_Irecv, and MPI_ERR_REQUEST for what is no message. */
int PMPI_Imrecv(void *buf, int count, MPI_Datatype datatype, MPI_Message *message,
                MPI_Request *request)
{
    ENTER("MPI_Imrecv", buf, count, datatype, message, request);
    struct adi3_request *r;
    struct adi3_data d;

    TRY(mpir_data_arg(buf, count, datatype, &d));
    TRY(mpir_out_arg(message, "message"));
    bool none = *message == MPI_MESSAGE_NO_PROC;
    if (!none)
        TRY(mpir_message_arg(&call, *message, &r));
    TRY(mpir_out_arg(request, "request"));
    if (none)
        TRY(adi3_irecv(&d, MPI_PROC_NULL, MPI_ANY_TAG, &adi3_world, ADI3_STANDARD, request));
    else
        adi3_claim(r, &d);
    if (!none)
        *request = *message; /* the message object is the request from now on */
    *message = MPI_MESSAGE_NULL;
    return mpir_leave(&call);
}
MPIR_WEAK(Imrecv);
