#include "reduce_scatter.h"

struct coll_operation coll_reduce_scatter_block = { .tag = COLL_REDUCE_SCATTER_BLOCK,
                                                    .table = reduce_scatter_table,
                                                    .choose = reduce_scatter_choose };

/* Combines the elements of all processes of comm, and gives each process its part of the result:
 * recvcount elements, in the order of ranks (§5.3.8).
 * Errors: MPI_ERR_COMM, MPI_ERR_COUNT, MPI_ERR_BUFFER, MPI_ERR_TYPE, MPI_ERR_OP,
 * MPI_ERR_TRUNCATE. */
int PMPI_Reduce_scatter_block(const void *sendbuf, void *recvbuf, int recvcount,
                              MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    ENTER("MPI_Reduce_scatter_block", sendbuf, recvbuf, recvcount, datatype, op, comm);
    struct adi3_comm *c;
    struct coll x;

    TRY(mpir_comm_arg(&call, comm, &c));
    TRY(mpir_count_arg(recvcount, "recvcount"));
    coll_begin(&x, c);
    x.recv.count = (size_t) recvcount;
    TRY(reduce_scatter_operands(&x, sendbuf, recvbuf, (size_t) recvcount * (size_t) c->size,
                                datatype));
    TRY(coll_op_arg(&x, op));
    TRY(coll_run(&coll_reduce_scatter_block, &x));
    return mpir_leave(&call);
}
MPIR_WEAK(Reduce_scatter_block);
