#include "mpi/coll/coll_doors.h"
#include "mpi/coll/algo/algo.h"

enum { LINEAR };
static const struct coll_algorithm table[] = {
    [LINEAR] = { .name = "linear", .run = gatherv_linear },
    { .name = NULL },
};

static const struct coll_algorithm *gatherv_choose(const struct coll *x)
{
    (void) x;
    return &table[LINEAR];
}

static int gatherv_resolve(struct coll *x, const struct coll_args *a)
{
    struct adi3_data own;
    int err = mpir_root_arg(x->comm, a->root);

    x->root = a->root;
    if (err || coll_is_idle(x))
        return err;
    if (!coll_is_root(x))
        return coll_send_arg(x, a, NULL);
    err = coll_recv_blocks_arg(x, a, "displs");
    if (err || x->comm->remote)
        return err;
    own = coll_recv_block(x, x->root);
    return coll_send_arg(x, a, &own);
}

struct coll_operation coll_gatherv = { .kind = COLL_GATHERV,
                                       .resolve = gatherv_resolve,
                                       .table = table,
                                       .choose = gatherv_choose,
                                       .inter = gather_inter };

/* Puts the blocks of all processes of comm at their places in recvbuf at root; displs counts
 * elements (§5.3.3).
 * Errors: MPI_ERR_COMM, MPI_ERR_ROOT, MPI_ERR_BUFFER, MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_ARG,
 * MPI_ERR_TRUNCATE. */
#define PARAMETERS(Count, Displ)                                                                   \
    const void *sendbuf, Count sendcount, MPI_Datatype sendtype, void *recvbuf,                    \
        const Count recvcounts[], const Displ displs[], MPI_Datatype recvtype, int root,           \
        MPI_Comm comm
#define ARGUMENTS sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm
#define COLL_ARGS                                                                                  \
    .sendbuf = sendbuf, .sendcount = sendcount, .sendtype = sendtype, .recvbuf = recvbuf,          \
    .recvcounts = MPIR_COUNTS(recvcounts), .rdispls = MPIR_COUNTS(displs), .recvtype = recvtype,   \
    .root = root, .comm = comm
COLL_DOORS(coll_gatherv, Gatherv, Igatherv, Gatherv_init);
