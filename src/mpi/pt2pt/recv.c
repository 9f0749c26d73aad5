#include "mpi/core/large.h"
#include "mpi/mpir.h"

#define PARAMETERS(Count)                                                                          \
    void *buf, Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,             \
        MPI_Status *status
#define ARGUMENTS buf, count, datatype, source, tag, comm, status

MPIR_INLINE int recv_body(struct mpir_call *call, PARAMETERS(MPI_Count))
{
    struct adi3_comm *c;
    struct adi3_data d;
    int err = mpir_comm_arg(call, comm, &c);

    if (!err)
        err = mpir_data_arg(buf, count, datatype, &d);
    if (!err)
        err = mpir_source_arg(c, source);
    if (!err)
        err = mpir_recv_tag_arg(c, tag);
    if (!err)
        err = mpir_out_arg(status, "status");
    if (__builtin_expect(!err, 1))
        err = adi3_recv(&d, source, tag, c, ADI3_STANDARD, status);
    return err;
}

/* Performs a blocking receive of one message of at most count elements (§3.2.4). Returns when it is
 * in buf.
 * Errors: MPI_ERR_COMM, MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_BUFFER, MPI_ERR_RANK, MPI_ERR_TAG,
 * MPI_ERR_ARG, MPI_ERR_TRUNCATE when the message is longer: then what fits is in buf. */
int PMPI_Recv(PARAMETERS(int))
{
    ENTER("MPI_Recv", ARGUMENTS);
    TRY(recv_body(&call, ARGUMENTS));
    return mpir_leave(&call);
}
MPIR_WEAK(Recv);

int mpir_recv_c(PARAMETERS(MPI_Count))
{
    ENTER("MPI_Recv_c", ARGUMENTS);
    TRY(recv_body(&call, ARGUMENTS));
    return mpir_leave(&call);
}
