#include "mpi/coll/coll_doors.h"
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

/* Combines the elements of all processes of comm, and gives each process its part of the result:
 * recvcount elements, in rank order (§5.3.8).
 * Errors: MPI_ERR_COMM, MPI_ERR_COUNT, MPI_ERR_BUFFER, MPI_ERR_TYPE, MPI_ERR_OP,
 * MPI_ERR_TRUNCATE. */
#define PARAMETERS(Count, Displ)                                                                   \
    const void *sendbuf, void *recvbuf, Count recvcount, MPI_Datatype datatype, MPI_Op op,         \
        MPI_Comm comm
#define ARGUMENTS sendbuf, recvbuf, recvcount, datatype, op, comm
#define COLL_ARGS                                                                                  \
    .sendbuf = sendbuf, .recvbuf = recvbuf, .recvcount = recvcount, .recvtype = datatype,          \
    .op = op, .comm = comm
COLL_DOORS(coll_reduce_scatter_block, Reduce_scatter_block, Ireduce_scatter_block,
           Reduce_scatter_block_init);
