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

/* The arguments of a call in any of its three forms. */
static inline struct coll_args scatterv_args(const void *sendbuf, const int sendcounts[],
                                             const int displs[], MPI_Datatype sendtype,
                                             void *recvbuf, MPI_Count recvcount,
                                             MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    return (struct coll_args) { .sendbuf = sendbuf,
                                .sendcounts.ints = sendcounts,
                                .sdispls.ints = displs,
                                .sendtype = sendtype,
                                .recvbuf = recvbuf,
                                .recvcount = recvcount,
                                .recvtype = recvtype,
                                .root = root,
                                .comm = comm };
}

/* Sends each process of comm its block of sendbuf at root; displs counts elements (§5.3.4).
 * Errors: MPI_ERR_COMM, MPI_ERR_ROOT, MPI_ERR_BUFFER, MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_ARG,
 * MPI_ERR_TRUNCATE. */
int PMPI_Scatterv(const void *sendbuf, const int sendcounts[], const int displs[],
                  MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype,
                  int root, MPI_Comm comm)
{
    ENTER("MPI_Scatterv", sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root,
          comm);
    const struct coll_args a = scatterv_args(sendbuf, sendcounts, displs, sendtype, recvbuf,
                                             recvcount, recvtype, root, comm);

    TRY(coll_call(&call, &coll_scatterv, &a));
    return mpir_leave(&call);
}
MPIR_WEAK(Scatterv);

/* Starts a nonblocking MPI_Scatterv; buffers and arrays must be kept until request is complete
 * (§5.12).
 * Errors: as MPI_Scatterv, and MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Iscatterv(const void *sendbuf, const int sendcounts[], const int displs[],
                   MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype,
                   int root, MPI_Comm comm, MPI_Request *request)
{
    ENTER("MPI_Iscatterv", sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype,
          root, comm, request);
    const struct coll_args a = scatterv_args(sendbuf, sendcounts, displs, sendtype, recvbuf,
                                             recvcount, recvtype, root, comm);

    TRY(coll_begin_call(&call, &coll_scatterv, &a, request));
    return mpir_leave(&call);
}
MPIR_WEAK(Iscatterv);

/* Makes a persistent request that does what MPI_Iscatterv does at each MPI_Start (§5.13);
 * collective.
 * Errors: as MPI_Scatterv, and MPI_ERR_INFO, MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Scatterv_init(const void *sendbuf, const int sendcounts[], const int displs[],
                       MPI_Datatype sendtype, void *recvbuf, int recvcount, MPI_Datatype recvtype,
                       int root, MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    ENTER("MPI_Scatterv_init", sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype,
          root, comm, info, request);
    const struct coll_args a = scatterv_args(sendbuf, sendcounts, displs, sendtype, recvbuf,
                                             recvcount, recvtype, root, comm);

    TRY(coll_init_call(&call, &coll_scatterv, &a, info, request));
    return mpir_leave(&call);
}
MPIR_WEAK(Scatterv_init);
