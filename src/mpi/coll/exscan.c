#include "mpi/coll/coll_doors.h"
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

/* Combines the elements of all processes of comm before our own, in rank order, into recvbuf
 * (§5.3.9). Rank 0 has none before it, and its recvbuf is not changed.
 * Errors: MPI_ERR_COMM, MPI_ERR_BUFFER, MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_OP,
 * MPI_ERR_TRUNCATE. */
#define PARAMETERS(Count, Displ)                                                                   \
    const void *sendbuf, void *recvbuf, Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm
#define ARGUMENTS sendbuf, recvbuf, count, datatype, op, comm
#define COLL_ARGS                                                                                  \
    .sendbuf = sendbuf, .recvbuf = recvbuf, .recvcount = count, .recvtype = datatype, .op = op,    \
    .comm = comm
COLL_DOORS(coll_exscan, Exscan, Iexscan, Exscan_init);
