#include "mpi/coll/neighbors.h"

static int neighbor_allgatherv_resolve(struct coll *x, const struct coll_args *a)
{
    int err = neighbor_topology_arg(x);

    if (!err)
        err = coll_recv_blocks_arg(x, a, "displs");
    if (!err)
        err = neighbor_data_arg(a->sendbuf, a->sendcount, a->sendtype, x->sends, &x->send);
    return err;
}

struct coll_operation coll_neighbor_allgatherv = { .kind = COLL_NEIGHBOR_ALLGATHERV,
                                                   .resolve = neighbor_allgatherv_resolve,
                                                   .choose = neighbor_choose_allgather };

/* The arguments of a call in any of its three forms. */
static inline struct coll_args neighbor_allgatherv_args(const void *sendbuf, MPI_Count sendcount,
                                                        MPI_Datatype sendtype, void *recvbuf,
                                                        const int recvcounts[], const int displs[],
                                                        MPI_Datatype recvtype, MPI_Comm comm)
{
    return (struct coll_args) { .sendbuf = sendbuf,
                                .sendcount = sendcount,
                                .sendtype = sendtype,
                                .recvbuf = recvbuf,
                                .recvcounts.ints = recvcounts,
                                .rdispls.ints = displs,
                                .recvtype = recvtype,
                                .comm = comm };
}

/* As MPI_Neighbor_allgather, with blocks of any size at any place of recvbuf; displs counts
 * elements (§7.6.1).
 * Errors: as MPI_Neighbor_allgather, and MPI_ERR_ARG. */
int PMPI_Neighbor_allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                             void *recvbuf, const int recvcounts[], const int displs[],
                             MPI_Datatype recvtype, MPI_Comm comm)
{
    ENTER("MPI_Neighbor_allgatherv", sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs,
          recvtype, comm);
    const struct coll_args a = neighbor_allgatherv_args(sendbuf, sendcount, sendtype, recvbuf,
                                                        recvcounts, displs, recvtype, comm);

    TRY(coll_call(&call, &coll_neighbor_allgatherv, &a));
    return mpir_leave(&call);
}
MPIR_WEAK(Neighbor_allgatherv);

/* Starts a nonblocking MPI_Neighbor_allgatherv; buffers and arrays must be kept until request is
 * complete (§7.7).
 * Errors: as MPI_Neighbor_allgatherv, and MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Ineighbor_allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                              void *recvbuf, const int recvcounts[], const int displs[],
                              MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
    ENTER("MPI_Ineighbor_allgatherv", sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs,
          recvtype, comm, request);
    const struct coll_args a = neighbor_allgatherv_args(sendbuf, sendcount, sendtype, recvbuf,
                                                        recvcounts, displs, recvtype, comm);

    TRY(coll_begin_call(&call, &coll_neighbor_allgatherv, &a, request));
    return mpir_leave(&call);
}
MPIR_WEAK(Ineighbor_allgatherv);

/* Makes a persistent request that does what MPI_Ineighbor_allgatherv does at each MPI_Start
 * (§7.8); collective.
 * Errors: as MPI_Neighbor_allgatherv, and MPI_ERR_INFO, MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Neighbor_allgatherv_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                                  void *recvbuf, const int recvcounts[], const int displs[],
                                  MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                  MPI_Request *request)
{
    ENTER("MPI_Neighbor_allgatherv_init", sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs,
          recvtype, comm, info, request);
    const struct coll_args a = neighbor_allgatherv_args(sendbuf, sendcount, sendtype, recvbuf,
                                                        recvcounts, displs, recvtype, comm);

    TRY(coll_init_call(&call, &coll_neighbor_allgatherv, &a, info, request));
    return mpir_leave(&call);
}
MPIR_WEAK(Neighbor_allgatherv_init);
