#include "mpi/coll/algo/shared.h"
#include "mpi/coll/nodes.h"

enum { SHARED_SMALL = 8 << 10, SHARED_LARGE = 512 << 10 }; /* bytes */
enum { LARGE = 128 << 10, MANY = 8 };                      /* bytes; processes */

enum { BINOMIAL, KNOMIAL, HALVING, CHAIN, LINEAR, NODES, SHARED, DIRECT };
static const struct coll_algorithm table[] = {
    [BINOMIAL] = { .name = "binomial", .run = reduce_binomial },
    [KNOMIAL] = { .name = "knomial", .run = reduce_knomial },
    [HALVING] = { .name = "halving", .run = reduce_halving, .fits = coll_has_blocks },
    [CHAIN] = { .name = "chain", .run = reduce_chain },
    [LINEAR] = { .name = "linear", .run = reduce_linear },
    [NODES] = { .name = "nodes", .run = reduce_nodes, .fits = coll_reduces_in_phases },
    [SHARED] = { .name = "shared", .run = reduce_shared, .fits = shared_reduces },
    [DIRECT] = { .name = "direct", .run = reduce_direct, .fits = shared_reduces },
    { .name = NULL },
};

/* The algorithm in shared memory that is best; NULL when messages are better. With two processes
 * messages are faster, because sender and receiver both copy. Where processes wait for cores,
 * few barriers count most. */
static const struct coll_algorithm *choose_shared(const struct coll *x)
{
    size_t len = coll_size(x->recv);

    if (!shared_reduces(x))
        return NULL;
    if (len < SHARED_SMALL || x->comm->oversubscribed)
        return &table[SHARED];
    return x->size > 2 && len >= SHARED_LARGE ? &table[DIRECT] : NULL;
}

static const struct coll_algorithm *reduce_choose(const struct coll *x)
{
    if (coll_reduces_in_phases(x))
        return &table[NODES];
    const struct coll_algorithm *shared = choose_shared(x);

    if (shared)
        return shared;
    return coll_size(x->recv) < LARGE || x->size < MANY || !coll_has_blocks(x) ? &table[BINOMIAL]
                                                                               : &table[HALVING];
}

/* Only the root has a receive buffer, and only the root may use MPI_IN_PLACE. Between two groups
 * the root has no send buffer. */
static int reduce_operands(struct coll *x, const struct coll_args *a)
{
    bool root = coll_is_root(x);

    if (root && !x->comm->remote)
        return coll_operands_arg(x, a);
    int err = mpir_data_arg(root ? a->recvbuf : a->sendbuf, a->recvcount, a->recvtype, &x->send);
    x->recv = x->send;
    if (!root)
        x->recv.buf = NULL;
    return err;
}

static int reduce_resolve(struct coll *x, const struct coll_args *a)
{
    int err = mpir_root_arg(x->comm, a->root);

    x->root = a->root;
    if (err || coll_is_idle(x))
        return err;
    err = reduce_operands(x, a);
    if (!err)
        err = coll_op_arg(x, a->op);
    return err;
}

struct coll_operation coll_reduce = { .kind = COLL_REDUCE,
                                      .resolve = reduce_resolve,
                                      .table = table,
                                      .choose = reduce_choose,
                                      .offload = coll_offload_reduce,
                                      .inter = reduce_inter };

/* The arguments of a call in any of its three forms. */
static inline struct coll_args reduce_args(const void *sendbuf, void *recvbuf, MPI_Count count,
                                           MPI_Datatype datatype, MPI_Op op, int root,
                                           MPI_Comm comm)
{
    return (struct coll_args) { .sendbuf = sendbuf,
                                .recvbuf = recvbuf,
                                .recvcount = count,
                                .recvtype = datatype,
                                .op = op,
                                .root = root,
                                .comm = comm };
}

/* Combines the elements of all processes of comm into recvbuf at root (§5.3.7).
 * Errors: MPI_ERR_COMM, MPI_ERR_ROOT, MPI_ERR_BUFFER, MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_OP,
 * MPI_ERR_TRUNCATE. */
int PMPI_Reduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                int root, MPI_Comm comm)
{
    ENTER("MPI_Reduce", sendbuf, recvbuf, count, datatype, op, root, comm);
    const struct coll_args a = reduce_args(sendbuf, recvbuf, count, datatype, op, root, comm);

    TRY(coll_call(&call, &coll_reduce, &a));
    return mpir_leave(&call);
}
MPIR_WEAK(Reduce);

/* Starts a nonblocking MPI_Reduce; buffers and arrays must be kept until request is complete
 * (§5.12).
 * Errors: as MPI_Reduce, and MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Ireduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                 int root, MPI_Comm comm, MPI_Request *request)
{
    ENTER("MPI_Ireduce", sendbuf, recvbuf, count, datatype, op, root, comm, request);
    const struct coll_args a = reduce_args(sendbuf, recvbuf, count, datatype, op, root, comm);

    TRY(coll_begin_call(&call, &coll_reduce, &a, request));
    return mpir_leave(&call);
}
MPIR_WEAK(Ireduce);

/* Makes a persistent request that does what MPI_Ireduce does at each MPI_Start (§5.13);
 * collective.
 * Errors: as MPI_Reduce, and MPI_ERR_INFO, MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Reduce_init(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype,
                     MPI_Op op, int root, MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    ENTER("MPI_Reduce_init", sendbuf, recvbuf, count, datatype, op, root, comm, info, request);
    const struct coll_args a = reduce_args(sendbuf, recvbuf, count, datatype, op, root, comm);

    TRY(coll_init_call(&call, &coll_reduce, &a, info, request));
    return mpir_leave(&call);
}
MPIR_WEAK(Reduce_init);
