#include "algo/algo.h"

enum { LINEAR };
static const struct coll_algorithm table[] = {
    [LINEAR] = { .name = "linear", .run = scatterv_linear },
    { .name = NULL },
};

static const struct coll_algorithm *choose(const struct coll *x)
{
    (void) x;
    return &table[LINEAR];
}

struct coll_operation coll_scatterv = { .tag = COLL_SCATTERV, .table = table, .choose = choose };

/* Gives each process of comm its block of sendbuf at root, displs counted in elements (§5.3.4).
 * Errors: MPI_ERR_COMM, MPI_ERR_ROOT, MPI_ERR_BUFFER, MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_ARG,
 * MPI_ERR_TRUNCATE. */
int PMPI_Scatterv(const void *sendbuf, const int sendcounts[], const int displs[],
                  MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype,
                  int root, MPI_Comm comm)
{
    ENTER("MPI_Scatterv", sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root,
          comm);
    struct coll_blocks from = { sendbuf, sendcounts, displs, sendtype, "sendcounts", "displs" };
    struct adi3_comm *c;
    struct adi3_data own;
    struct coll x;

    TRY(mpir_comm_arg(&call, comm, &c));
    TRY(mpir_root_arg(c, root));
    coll_begin(&x, c);
    x.root = root;
    if (c->rank == root) {
        TRY(coll_blocks_arg(c, &from, &x.send));
        x.sendcounts = sendcounts;
        x.sdispls = displs;
        own = coll_send_block(&x, root);
    }
    TRY(coll_recv_arg(&x, recvbuf, recvcount, recvtype, c->rank == root ? &own : NULL));
    TRY(coll_run(&coll_scatterv, &x));
    return mpir_leave(&call);
}
MPIR_WEAK(Scatterv);
