#include "mpi/coll/reduce_scatter.h"
#include "mpi/coll/algo/algo.h"

static int reduce_scatter_block_resolve(struct coll *x, const struct coll_args *a)
{
    int err = mpir_count_arg(a->recvcount, "recvcount");
    MPI_Count all;

    if (!err && __builtin_mul_overflow(a->recvcount, x->size, &all))
        err = mpir_error(MPI_ERR_COUNT, "%d times recvcount, %lld, are too many elements", x->size,
                         (long long) a->recvcount);
    if (!err)
        err = reduce_scatter_resolve(x, a, a->recvcount, all);
    return err;
}

struct coll_operation coll_reduce_scatter_block = { .kind = COLL_REDUCE_SCATTER_BLOCK,
                                                    .resolve = reduce_scatter_block_resolve,
                                                    .table = reduce_scatter_table,
                                                    .choose = reduce_scatter_choose,
                                                    .inter = reduce_scatter_inter };

/* The arguments of a call in any of its three forms. */
static inline struct coll_args reduce_scatter_block_args(const void *sendbuf, void *recvbuf,
                                                         MPI_Count recvcount, MPI_Datatype datatype,
                                                         MPI_Op op, MPI_Comm comm)
{
    return (struct coll_args) { .sendbuf = sendbuf,
                                .recvbuf = recvbuf,
                                .recvcount = recvcount,
                                .recvtype = datatype,
                                .op = op,
                                .comm = comm };
}

/* Combines the elements of all processes of comm, and gives each process its part of the result:
 * recvcount elements, in rank order (§5.3.8).
 * Errors: MPI_ERR_COMM, MPI_ERR_COUNT, MPI_ERR_BUFFER, MPI_ERR_TYPE, MPI_ERR_OP,
 * MPI_ERR_TRUNCATE. */
int PMPI_Reduce_scatter_block(const void *sendbuf, void *recvbuf, int recvcount,
                              MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    ENTER("MPI_Reduce_scatter_block", sendbuf, recvbuf, recvcount, datatype, op, comm);
    const struct coll_args a =
        reduce_scatter_block_args(sendbuf, recvbuf, recvcount, datatype, op, comm);

    TRY(coll_call(&call, &coll_reduce_scatter_block, &a));
    return mpir_leave(&call);
}
MPIR_WEAK(Reduce_scatter_block);

/* Starts a nonblocking MPI_Reduce_scatter_block; buffers must be kept until request is complete
 * (§5.12).
 * Errors: as MPI_Reduce_scatter_block, and MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Ireduce_scatter_block(const void *sendbuf, void *recvbuf, int recvcount,
                               MPI_Datatype datatype, MPI_Op op, MPI_Comm comm,
                               MPI_Request *request)
{
    ENTER("MPI_Ireduce_scatter_block", sendbuf, recvbuf, recvcount, datatype, op, comm, request);
    const struct coll_args a =
        reduce_scatter_block_args(sendbuf, recvbuf, recvcount, datatype, op, comm);

    TRY(coll_begin_call(&call, &coll_reduce_scatter_block, &a, request));
    return mpir_leave(&call);
}
MPIR_WEAK(Ireduce_scatter_block);

/* Makes a persistent request that does what MPI_Ireduce_scatter_block does at each MPI_Start
 * (§5.13); collective.
 * Errors: as MPI_Reduce_scatter_block, and MPI_ERR_INFO, MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Reduce_scatter_block_init(const void *sendbuf, void *recvbuf, int recvcount,
                                   MPI_Datatype datatype, MPI_Op op, MPI_Comm comm, MPI_Info info,
                                   MPI_Request *request)
{
    ENTER("MPI_Reduce_scatter_block_init", sendbuf, recvbuf, recvcount, datatype, op, comm, info,
          request);
    const struct coll_args a =
        reduce_scatter_block_args(sendbuf, recvbuf, recvcount, datatype, op, comm);

    TRY(coll_init_call(&call, &coll_reduce_scatter_block, &a, info, request));
    return mpir_leave(&call);
}
MPIR_WEAK(Reduce_scatter_block_init);
