/* message.h — message handles of MPI_Mprobe and MPI_Improbe as arguments. */
#ifndef MESSAGE_H
#define MESSAGE_H

#include "mpi/mpir.h"

/* For handles other than MPI_MESSAGE_NO_PROC. */
static inline int mpir_message_arg(struct mpir_call *call, MPI_Message h, struct adi3_request **r)
{
    *r = adi3_message_get(h);
    if (!*r)
        return mpir_error(MPI_ERR_REQUEST, "0x%x is not a message, or one that was received",
                          (unsigned) h);
    call->comm = adi3_request_comm(*r);
    return MPI_SUCCESS;
}

#endif /* MESSAGE_H */
