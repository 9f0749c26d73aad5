#include "mpi/coll/algo/algo.h"

enum { OVERSUBSCRIBED_LARGE = 256 << 10 }; /* bytes */

enum { DOUBLING, LINEAR };
static const struct coll_algorithm table[] = {
    [DOUBLING] = { .name = "doubling", .run = exscan_doubling },
    [LINEAR] = { .name = "linear", .run = exscan_linear },
    { .name = NULL },
};

static const struct coll_algorithm *exscan_choose(const struct coll *x)
{
    return coll_oversubscribed(x) && coll_size(x->recv) >= OVERSUBSCRIBED_LARGE ? &table[LINEAR]
                                                                                : &table[DOUBLING];
}

/* At rank 0 recvbuf is not written; it is checked only when it holds the operand. */
static int exscan_operands(struct coll *x, const struct coll_args *a)
{
    if (x->rank > 0 || a->sendbuf == MPI_IN_PLACE)
        return coll_operands_arg(x, a);
    int err = mpir_data_arg(a->sendbuf, a->recvcount, a->recvtype, &x->send);
    x->recv = x->send;
    x->recv.buf = NULL;
    return err;
}

static int exscan_resolve(struct coll *x, const struct coll_args *a)
{
    int err = exscan_operands(x, a);

    if (!err)
        err = coll_op_arg(x, a->op);
    return err;
}

struct coll_operation coll_exscan = {
    .kind = COLL_EXSCAN, .resolve = exscan_resolve, .table = table, .choose = exscan_choose
};

/* The arguments of a call in any of its three forms. */
static inline struct coll_args exscan_args(const void *sendbuf, void *recvbuf, MPI_Count count,
                                           MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    return (struct coll_args) { .sendbuf = sendbuf,
                                .recvbuf = recvbuf,
                                .recvcount = count,
                                .recvtype = datatype,
                                .op = op,
                                .comm = comm };
}

/* Combines the elements of all processes of comm before our own, in rank order, into recvbuf
 * (§5.3.9). Rank 0 has none before it, and its recvbuf is not changed.
 * Errors: MPI_ERR_COMM, MPI_ERR_BUFFER, MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_OP,
 * MPI_ERR_TRUNCATE. */
int PMPI_Exscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                MPI_Comm comm)
{
    ENTER("MPI_Exscan", sendbuf, recvbuf, count, datatype, op, comm);
    const struct coll_args a = exscan_args(sendbuf, recvbuf, count, datatype, op, comm);

    TRY(coll_call(&call, &coll_exscan, &a));
    return mpir_leave(&call);
}
MPIR_WEAK(Exscan);

/* Starts a nonblocking MPI_Exscan; buffers and arrays must be kept until request is complete
 * (§5.12).
 * Errors: as MPI_Exscan, and MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Iexscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                 MPI_Comm comm, MPI_Request *request)
{
    ENTER("MPI_Iexscan", sendbuf, recvbuf, count, datatype, op, comm, request);
    const struct coll_args a = exscan_args(sendbuf, recvbuf, count, datatype, op, comm);

    TRY(coll_begin_call(&call, &coll_exscan, &a, request));
    return mpir_leave(&call);
}
MPIR_WEAK(Iexscan);

/* Makes a persistent request that does what MPI_Iexscan does at each MPI_Start (§5.13);
 * collective.
 * Errors: as MPI_Exscan, and MPI_ERR_INFO, MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Exscan_init(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype,
                     MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    ENTER("MPI_Exscan_init", sendbuf, recvbuf, count, datatype, op, comm, info, request);
    const struct coll_args a = exscan_args(sendbuf, recvbuf, count, datatype, op, comm);

    TRY(coll_init_call(&call, &coll_exscan, &a, info, request));
    return mpir_leave(&call);
}
MPIR_WEAK(Exscan_init);
