#include "mpi/coll/coll_doors.h"
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

/* Combines the elements of all processes of comm into recvbuf at root (§5.3.7).
 * Errors: MPI_ERR_COMM, MPI_ERR_ROOT, MPI_ERR_BUFFER, MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_OP,
 * MPI_ERR_TRUNCATE. */
#define PARAMETERS(Count, Displ)                                                                   \
    const void *sendbuf, void *recvbuf, Count count, MPI_Datatype datatype, MPI_Op op, int root,   \
        MPI_Comm comm
#define ARGUMENTS sendbuf, recvbuf, count, datatype, op, root, comm
#define COLL_ARGS                                                                                  \
    .sendbuf = sendbuf, .recvbuf = recvbuf, .recvcount = count, .recvtype = datatype, .op = op,    \
    .root = root, .comm = comm
COLL_DOORS(coll_reduce, Reduce, Ireduce, Reduce_init);
