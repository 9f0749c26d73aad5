#include <limits.h>
#include "reduce_scatter.h"
#include "algo/algo.h"

enum { LARGE = 64 << 10, CROWDED_SMALL = 4 << 10 }; /* bytes of all parts */

static bool commutes(const struct coll *x) { return x->op->commutes; }

enum { HALVING, PAIRWISE, RING, LINEAR };
const struct coll_algorithm reduce_scatter_table[] = {
    [HALVING] = { .name = "halving", .run = reduce_scatter_halving },
    [PAIRWISE] = { .name = "pairwise", .run = reduce_scatter_pairwise },
    [RING] = { .name = "ring", .run = reduce_scatter_ring, .fits = commutes },
    [LINEAR] = { .name = "linear", .run = reduce_scatter_linear },
    { .name = NULL },
};

const struct coll_algorithm *reduce_scatter_choose(const struct coll *x)
{
    size_t len = coll_size(x->send);

    if (coll_crowded(x) && len < CROWDED_SMALL)
        return &reduce_scatter_table[LINEAR];
    return &reduce_scatter_table[len < LARGE ? HALVING : PAIRWISE];
}

struct coll_operation coll_reduce_scatter = { .tag = COLL_REDUCE_SCATTER,
                                              .table = reduce_scatter_table,
                                              .choose = reduce_scatter_choose };

int reduce_scatter_operands(struct coll *x, const void *sendbuf, const void *recvbuf, size_t all,
                            MPI_Datatype h)
{
    bool in_place = sendbuf == MPI_IN_PLACE;
    size_t ours = x->recv.count;
    int err = mpir_data_arg(recvbuf, (int) ours, h, &x->recv);

    if (err)
        return err;
    /* What is checked of a buffer is a count that is an int. */
    err = mpir_data_arg(in_place ? recvbuf : sendbuf, all < INT_MAX ? (int) all : INT_MAX, h,
                        &x->send);
    x->send.count = all;
    return err || in_place ? err : coll_apart_arg(x->send, x->recv);
}

/* Sums up the sizes of the parts. */
static int parts(struct coll *x, const int *recvcounts, size_t *all)
{
    int err = mpir_array_arg(recvcounts, x->size, "recvcounts");

    if (err)
        return err;
    *all = 0;
    for (int i = 0; i < x->size; i++) {
        if (mpir_checking() && recvcounts[i] < 0)
            return mpir_error(MPI_ERR_COUNT, "recvcounts[%d] is %d", i, recvcounts[i]);
        *all += (size_t) recvcounts[i];
    }
    x->recvcounts = recvcounts;
    x->recv.count = (size_t) recvcounts[x->rank];
    return MPI_SUCCESS;
}

/* Combines the elements of all processes of comm, and gives each process its part of the result:
 * recvcounts[i] elements to process i, in the order of ranks (§5.3.8).
 * Errors: MPI_ERR_COMM, MPI_ERR_ARG, MPI_ERR_COUNT, MPI_ERR_BUFFER, MPI_ERR_TYPE, MPI_ERR_OP,
 * MPI_ERR_TRUNCATE. */
int PMPI_Reduce_scatter(const void *sendbuf, void *recvbuf, const int recvcounts[],
                        MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    ENTER("MPI_Reduce_scatter", sendbuf, recvbuf, recvcounts, datatype, op, comm);
    struct adi3_comm *c;
    struct coll x;
    size_t all;

    TRY(mpir_comm_arg(&call, comm, &c));
    coll_begin(&x, c);
    TRY(parts(&x, recvcounts, &all));
    TRY(reduce_scatter_operands(&x, sendbuf, recvbuf, all, datatype));
    TRY(coll_op_arg(&x, op));
    TRY(coll_run(&coll_reduce_scatter, &x));
    return mpir_leave(&call);
}
MPIR_WEAK(Reduce_scatter);
