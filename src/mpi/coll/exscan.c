#include "algo/algo.h"

enum { CROWDED_SMALL = 32 << 10 }; /* bytes */

enum { DOUBLING, LINEAR };
static const struct coll_algorithm table[] = {
    [DOUBLING] = { .name = "doubling", .run = exscan_doubling },
    [LINEAR] = { .name = "linear", .run = exscan_linear },
    { .name = NULL },
};

static const struct coll_algorithm *choose(const struct coll *x)
{
    return coll_crowded(x) && coll_size(x->recv) < CROWDED_SMALL ? &table[LINEAR]
                                                                 : &table[DOUBLING];
}

struct coll_operation coll_exscan = { .tag = COLL_EXSCAN, .table = table, .choose = choose };

/* At rank 0 nothing comes into recvbuf, which is looked at only when the operand is there. */
static int operands(struct coll *x, const void *sendbuf, void *recvbuf, int count, MPI_Datatype h)
{
    if (x->rank > 0 || sendbuf == MPI_IN_PLACE)
        return coll_operands_arg(x, sendbuf, recvbuf, count, h);
    int err = mpir_data_arg(sendbuf, count, h, &x->send);
    x->recv = x->send;
    x->recv.buf = NULL;
    return err;
}

/* Combines the elements of all processes of comm before our own, in rank order, into recvbuf
 * (§5.3.9). At rank 0 there are none, and recvbuf stays as it is.
 * Errors: MPI_ERR_COMM, MPI_ERR_BUFFER, MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_OP,
 * MPI_ERR_TRUNCATE. */
int PMPI_Exscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                MPI_Comm comm)
{
    ENTER("MPI_Exscan", sendbuf, recvbuf, count, datatype, op, comm);
    struct adi3_comm *c;
    struct coll x;

    TRY(mpir_comm_arg(&call, comm, &c));
    coll_begin(&x, c);
    TRY(operands(&x, sendbuf, recvbuf, count, datatype));
    TRY(coll_op_arg(&x, op));
    TRY(coll_run(&coll_exscan, &x));
    return mpir_leave(&call);
}
MPIR_WEAK(Exscan);
