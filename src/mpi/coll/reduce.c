#include "algo/algo.h"

enum { LARGE = 128 << 10, MANY = 8 }; /* bytes; processes */

/* Every process gets a part to combine. */
static bool enough(const struct coll *x) { return x->recv.count >= (size_t) x->size; }

enum { BINOMIAL, HALVING, LINEAR };
static const struct coll_algorithm table[] = {
    [BINOMIAL] = { .name = "binomial", .run = reduce_binomial },
    [HALVING] = { .name = "halving", .run = reduce_halving, .fits = enough },
    [LINEAR] = { .name = "linear", .run = reduce_linear },
    { .name = NULL },
};

static const struct coll_algorithm *choose(const struct coll *x)
{
    return coll_size(x->recv) < LARGE || x->size < MANY || !enough(x) ? &table[BINOMIAL]
                                                                      : &table[HALVING];
}

struct coll_operation coll_reduce = { .tag = COLL_REDUCE, .table = table, .choose = choose };

/* Only the root has a receive buffer, and only its send buffer may be MPI_IN_PLACE. */
static int operands(struct coll *x, const void *sendbuf, void *recvbuf, int count, MPI_Datatype h)
{
    if (x->rank == x->root)
        return coll_operands_arg(x, sendbuf, recvbuf, count, h);
    int err = mpir_data_arg(sendbuf, count, h, &x->send);
    x->recv = x->send;
    x->recv.buf = NULL;
    return err;
}

/* Combines the elements of all processes of comm, into recvbuf at root (§5.3.7).
 * Errors: MPI_ERR_COMM, MPI_ERR_ROOT, MPI_ERR_BUFFER, MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_OP,
 * MPI_ERR_TRUNCATE. */
int PMPI_Reduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                int root, MPI_Comm comm)
{
    ENTER("MPI_Reduce", sendbuf, recvbuf, count, datatype, op, root, comm);
    struct adi3_comm *c;
    struct coll x;

    TRY(mpir_comm_arg(&call, comm, &c));
    TRY(mpir_root_arg(c, root));
    coll_begin(&x, c);
    x.root = root;
    TRY(operands(&x, sendbuf, recvbuf, count, datatype));
    TRY(coll_op_arg(&x, op));
    TRY(coll_run(&coll_reduce, &x));
    return mpir_leave(&call);
}
MPIR_WEAK(Reduce);
