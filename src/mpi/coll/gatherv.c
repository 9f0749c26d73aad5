#include "algo/algo.h"

enum { LINEAR };
static const struct coll_algorithm table[] = {
    [LINEAR] = { .name = "linear", .run = gatherv_linear },
    { .name = NULL },
};

static const struct coll_algorithm *choose(const struct coll *x)
{
    (void) x;
    return &table[LINEAR];
}

struct coll_operation coll_gatherv = { .tag = COLL_GATHERV, .table = table, .choose = choose };

/* Puts the blocks of all processes of comm where root wants them, displs counted in elements
 * (§5.3.3).
 * Errors: MPI_ERR_COMM, MPI_ERR_ROOT, MPI_ERR_BUFFER, MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_ARG,
 * MPI_ERR_TRUNCATE. */
int PMPI_Gatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                 const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
                 MPI_Comm comm)
{
    ENTER("MPI_Gatherv", sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root,
          comm);
    struct coll_blocks to = { recvbuf, recvcounts, displs, recvtype, "recvcounts", "displs" };
    struct adi3_comm *c;
    struct adi3_data own;
    struct coll x;

    TRY(mpir_comm_arg(&call, comm, &c));
    TRY(mpir_root_arg(c, root));
    coll_begin(&x, c);
    x.root = root;
    if (c->rank == root) {
        TRY(coll_blocks_arg(c, &to, &x.recv));
        x.recvcounts = recvcounts;
        x.rdispls = displs;
        own = coll_recv_block(&x, root);
    }
    TRY(coll_send_arg(&x, sendbuf, sendcount, sendtype, c->rank == root ? &own : NULL));
    TRY(coll_run(&coll_gatherv, &x));
    return mpir_leave(&call);
}
MPIR_WEAK(Gatherv);
