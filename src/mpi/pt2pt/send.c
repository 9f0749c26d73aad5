#include "mpi/core/large.h"
#include "mpi/mpir.h"

#define PARAMETERS(Count)                                                                          \
    const void *buf, Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm
#define ARGUMENTS buf, count, datatype, dest, tag, comm

MPIR_INLINE int send_body(struct mpir_call *call, PARAMETERS(MPI_Count))
{
    struct adi3_comm *c;
    struct adi3_data d;
    int err = mpir_comm_arg(call, comm, &c);

    if (!err)
        err = mpir_data_arg(buf, count, datatype, &d);
    if (!err)
        err = mpir_dest_arg(c, dest);
    if (!err)
        err = mpir_send_tag_arg(tag);
    if (!err)
        err = adi3_send(&d, dest, tag, c, ADI3_STANDARD);
    return err;
}

__attribute__((noinline)) static int send_slow_path(PARAMETERS(int))
{
    ENTER("MPI_Send", ARGUMENTS);
    TRY(send_body(&call, ARGUMENTS));
    return mpir_leave(&call);
}

__attribute__((noinline)) static int send_c_slow_path(PARAMETERS(MPI_Count))
{
    ENTER("MPI_Send_c", ARGUMENTS);
    TRY(send_body(&call, ARGUMENTS));
    return mpir_leave(&call);
}

MPIR_INLINE bool send_quickly(const char *name, PARAMETERS(MPI_Count))
{
    struct adi3_comm *c = mpir_quick_comm(name, comm);
    size_t len;

    if (c && mpir_quick_data(buf, count, datatype, &len) && (unsigned) dest < (unsigned) c->peers
        && (unsigned) tag <= ADI3_TAG_UB) {
        int rc = adi3_inject(c, dest, tag, buf, len, ADI3_STANDARD);
        if (!rc)
            return true;
        adi3_refused(rc);
    }
    return false;
}

/* Performs a blocking send of count elements (§3.2.1). Returns when buf may be reused, perhaps
 * before the message has arrived.
 * Errors: MPI_ERR_COMM, MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_BUFFER, MPI_ERR_RANK, MPI_ERR_TAG. */
int PMPI_Send(PARAMETERS(int))
{
    MPIR_SAVE_SIX(ARGUMENTS);
    if (send_quickly(MPIR_NAME("MPI_Send"), ARGUMENTS))
        return mpir_leave_quickly();
    return send_slow_path(MPIR_SAVED_SIX(ARGUMENTS));
}
MPIR_WEAK(Send);

int mpir_send_c(PARAMETERS(MPI_Count))
{
    MPIR_SAVE_SIX(ARGUMENTS);
    if (send_quickly(MPIR_NAME("MPI_Send_c"), ARGUMENTS))
        return mpir_leave_quickly();
    return send_c_slow_path(MPIR_SAVED_SIX(ARGUMENTS));
}
