#include "mpi/coll/coll_doors.h"
#include "mpi/coll/algo/algo.h"

enum { LINEAR };
static const struct coll_algorithm table[] = {
    [LINEAR] = { .name = "linear", .run = scatterv_linear },
    { .name = NULL },
};

static const struct coll_algorithm *scatterv_choose(const struct coll *x)
{
    (void) x;
    return &table[LINEAR];
}

static int scatterv_resolve(struct coll *x, const struct coll_args *a)
{
    struct adi3_data own;
    int err = mpir_root_arg(x->comm, a->root);

    x->root = a->root;
    if (err || coll_is_idle(x))
        return err;
    if (!coll_is_root(x))
        return coll_recv_arg(x, a, NULL);
    err = coll_send_blocks_arg(x, a, "displs");
    if (err || x->comm->remote)
        return err;
    own = coll_send_block(x, x->root);
    return coll_recv_arg(x, a, &own);
}

struct coll_operation coll_scatterv = { .kind = COLL_SCATTERV,
                                        .resolve = scatterv_resolve,
                                        .table = table,
                                        .choose = scatterv_choose,
                                        .inter = scatter_inter };

/* Sends each process of comm its block of sendbuf at root; displs counts elements (§5.3.4).
 * Errors: MPI_ERR_COMM, MPI_ERR_ROOT, MPI_ERR_BUFFER, MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_ARG,
 * MPI_ERR_TRUNCATE. */
#define PARAMETERS(Count, Displ)                                                                   \
    const void *sendbuf, const Count sendcounts[], const Displ displs[], MPI_Datatype sendtype,    \
        void *recvbuf, Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm
#define ARGUMENTS sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm
#define COLL_ARGS                                                                                  \
    .sendbuf = sendbuf, .sendcounts = MPIR_COUNTS(sendcounts), .sdispls = MPIR_COUNTS(displs),     \
    .sendtype = sendtype, .recvbuf = recvbuf, .recvcount = recvcount, .recvtype = recvtype,        \
    .root = root, .comm = comm
COLL_DOORS(coll_scatterv, Scatterv, Iscatterv, Scatterv_init);
