#include "algo/algo.h"

enum { SMALL = 4 << 10, MANY = 32 }; /* bytes of a block; processes */

enum { BINOMIAL, LINEAR };
static const struct coll_algorithm table[] = {
    [BINOMIAL] = { .name = "binomial", .run = gather_binomial },
    [LINEAR] = { .name = "linear", .run = gather_linear },
    { .name = NULL },
};

static const struct coll_algorithm *choose(const struct coll *x)
{
    return x->size >= MANY && coll_size(x->send) < SMALL ? &table[BINOMIAL] : &table[LINEAR];
}

struct coll_operation coll_gather = { .tag = COLL_GATHER, .table = table, .choose = choose };

/* Puts the blocks of all processes of comm one behind the other in recvbuf at root (§5.3.3).
 * Errors: MPI_ERR_COMM, MPI_ERR_ROOT, MPI_ERR_BUFFER, MPI_ERR_COUNT, MPI_ERR_TYPE,
 * MPI_ERR_TRUNCATE. */
int PMPI_Gather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    ENTER("MPI_Gather", sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm);
    struct adi3_comm *c;
    struct adi3_data own;
    struct coll x;

    TRY(mpir_comm_arg(&call, comm, &c));
    TRY(mpir_root_arg(c, root));
    coll_begin(&x, c);
    x.root = root;
    if (c->rank == root) {
        TRY(mpir_data_arg(recvbuf, recvcount, recvtype, &x.recv));
        own = coll_block(&x.recv, root);
    }
    TRY(coll_send_arg(&x, sendbuf, sendcount, sendtype, c->rank == root ? &own : NULL));
    TRY(coll_run(&coll_gather, &x));
    return mpir_leave(&call);
}
MPIR_WEAK(Gather);
