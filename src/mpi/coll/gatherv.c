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

/* The arguments of a call in any of its three forms. */
static inline struct coll_args gatherv_args(const void *sendbuf, MPI_Count sendcount,
                                            MPI_Datatype sendtype, void *recvbuf,
                                            const int recvcounts[], const int displs[],
                                            MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    return (struct coll_args) { .sendbuf = sendbuf,
                                .sendcount = sendcount,
                                .sendtype = sendtype,
                                .recvbuf = recvbuf,
                                .recvcounts.ints = recvcounts,
                                .rdispls.ints = displs,
                                .recvtype = recvtype,
                                .root = root,
                                .comm = comm };
}

/* Puts the blocks of all processes of comm at their places in recvbuf at root; displs counts
 * elements (§5.3.3).
 * Errors: MPI_ERR_COMM, MPI_ERR_ROOT, MPI_ERR_BUFFER, MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_ARG,
 * MPI_ERR_TRUNCATE. */
int PMPI_Gatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                 const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
                 MPI_Comm comm)
{
    ENTER("MPI_Gatherv", sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root,
          comm);
    const struct coll_args a = gatherv_args(sendbuf, sendcount, sendtype, recvbuf, recvcounts,
                                            displs, recvtype, root, comm);

    TRY(coll_call(&call, &coll_gatherv, &a));
    return mpir_leave(&call);
}
MPIR_WEAK(Gatherv);

/* Starts a nonblocking MPI_Gatherv; buffers and arrays must be kept until request is complete
 * (§5.12).
 * Errors: as MPI_Gatherv, and MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Igatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                  const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
                  MPI_Comm comm, MPI_Request *request)
{
    ENTER("MPI_Igatherv", sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root,
          comm, request);
    const struct coll_args a = gatherv_args(sendbuf, sendcount, sendtype, recvbuf, recvcounts,
                                            displs, recvtype, root, comm);

    TRY(coll_begin_call(&call, &coll_gatherv, &a, request));
    return mpir_leave(&call);
}
MPIR_WEAK(Igatherv);

/* Makes a persistent request that does what MPI_Igatherv does at each MPI_Start (§5.13);
 * collective.
 * Errors: as MPI_Gatherv, and MPI_ERR_INFO, MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Gatherv_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                      const int recvcounts[], const int displs[], MPI_Datatype recvtype, int root,
                      MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    ENTER("MPI_Gatherv_init", sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype,
          root, comm, info, request);
    const struct coll_args a = gatherv_args(sendbuf, sendcount, sendtype, recvbuf, recvcounts,
                                            displs, recvtype, root, comm);

    TRY(coll_init_call(&call, &coll_gatherv, &a, info, request));
    return mpir_leave(&call);
}
MPIR_WEAK(Gatherv_init);
