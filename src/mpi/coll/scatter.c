#include "algo/algo.h"

enum { SMALL = 4 << 10, MANY = 32 }; /* bytes of a block; processes */

enum { BINOMIAL, LINEAR };
static const struct coll_algorithm table[] = {
    [BINOMIAL] = { .name = "binomial", .run = scatter_binomial },
    [LINEAR] = { .name = "linear", .run = scatter_linear },
    { .name = NULL },
};

static const struct coll_algorithm *choose(const struct coll *x)
{
    return x->size >= MANY && coll_size(x->recv) < SMALL ? &table[BINOMIAL] : &table[LINEAR];
}

struct coll_operation coll_scatter = { .tag = COLL_SCATTER, .table = table, .choose = choose };

/* Gives each process of comm its block of sendbuf at root (§5.3.4).
 * Errors: MPI_ERR_COMM, MPI_ERR_ROOT, MPI_ERR_BUFFER, MPI_ERR_COUNT, MPI_ERR_TYPE,
 * MPI_ERR_TRUNCATE. */
int PMPI_Scatter(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                 int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    ENTER("MPI_Scatter", sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm);
    struct adi3_comm *c;
    struct adi3_data own;
    struct coll x;

    TRY(mpir_comm_arg(&call, comm, &c));
    TRY(mpir_root_arg(c, root));
    coll_begin(&x, c);
    x.root = root;
    if (c->rank == root) {
        TRY(mpir_data_arg(sendbuf, sendcount, sendtype, &x.send));
        own = coll_block(&x.send, root);
    }
    TRY(coll_recv_arg(&x, recvbuf, recvcount, recvtype, c->rank == root ? &own : NULL));
    TRY(coll_run(&coll_scatter, &x));
    return mpir_leave(&call);
}
MPIR_WEAK(Scatter);
