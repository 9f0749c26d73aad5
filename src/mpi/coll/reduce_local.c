#include "mpi/coll/coll.h"

/* Combines the elements of inbuf and inoutbuf into inoutbuf; those of inbuf are the first
 * operands (§5.3.7). Not collective.
 * Errors: MPI_ERR_BUFFER, MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_OP. */
int PMPI_Reduce_local(const void *inbuf, void *inoutbuf, int count, MPI_Datatype datatype,
                      MPI_Op op)
{
    ENTER("MPI_Reduce_local", inbuf, inoutbuf, count, datatype, op);
    struct adi3_data in, inout;
    struct adi3_op *o;

    TRY(mpir_data_arg(inbuf, count, datatype, &in));
    TRY(mpir_data_arg(inoutbuf, count, datatype, &inout));
    TRY(coll_no_alias_arg(in, inout));
    TRY(mpir_op_arg(op, &o));
    TRY(mpir_op_type_arg(o, in.type));
    bool unlocked = adi3_unlock_for(o->function ? SIZE_MAX : coll_size(in));
    adi3_reduce(o, in.buf, inout.buf, in.count, in.type);
    if (unlocked)
        adi3_lock();
    return mpir_leave(&call);
}
MPIR_WEAK(Reduce_local);
