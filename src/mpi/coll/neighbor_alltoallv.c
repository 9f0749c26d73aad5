#include "mpi/coll/neighbors.h"

static int neighbor_alltoallv_resolve(struct coll *x, const struct coll_args *a)
{
    int err = neighbor_topology_arg(x);

    if (!err)
        err = coll_recv_blocks_arg(x, a, "rdispls");
    if (!err)
        err = coll_send_blocks_arg(x, a, "sdispls");
    return err;
}

struct coll_operation coll_neighbor_alltoallv = { .kind = COLL_NEIGHBOR_ALLTOALLV,
                                                  .resolve = neighbor_alltoallv_resolve,
                                                  .choose = neighbor_choose_alltoall };

/* The arguments of a call in any of its three forms. */
static inline struct coll_args neighbor_alltoallv_args(const void *sendbuf, const int sendcounts[],
                                                       const int sdispls[], MPI_Datatype sendtype,
                                                       void *recvbuf, const int recvcounts[],
                                                       const int rdispls[], MPI_Datatype recvtype,
                                                       MPI_Comm comm)
{
    return (struct coll_args) { .sendbuf = sendbuf,
                                .sendcounts.ints = sendcounts,
                                .sdispls.ints = sdispls,
                                .sendtype = sendtype,
                                .recvbuf = recvbuf,
                                .recvcounts.ints = recvcounts,
                                .rdispls.ints = rdispls,
                                .recvtype = recvtype,
                                .comm = comm };
}

/* As MPI_Neighbor_alltoall, with blocks of any size at any place; displacements count elements
 * (§7.6.2).
 * Errors: as MPI_Neighbor_alltoall, and MPI_ERR_ARG. */
int PMPI_Neighbor_alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[],
                            MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                            const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm)
{
    ENTER("MPI_Neighbor_alltoallv", sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts,
          rdispls, recvtype, comm);
    const struct coll_args a = neighbor_alltoallv_args(
        sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm);

    TRY(coll_call(&call, &coll_neighbor_alltoallv, &a));
    return mpir_leave(&call);
}
MPIR_WEAK(Neighbor_alltoallv);

/* Starts a nonblocking MPI_Neighbor_alltoallv; buffers and arrays must be kept until request is
 * complete (§7.7).
 * Errors: as MPI_Neighbor_alltoallv, and MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Ineighbor_alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[],
                             MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                             const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                             MPI_Request *request)
{
    ENTER("MPI_Ineighbor_alltoallv", sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts,
          rdispls, recvtype, comm, request);
    const struct coll_args a = neighbor_alltoallv_args(
        sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm);

    TRY(coll_begin_call(&call, &coll_neighbor_alltoallv, &a, request));
    return mpir_leave(&call);
}
MPIR_WEAK(Ineighbor_alltoallv);

/* Makes a persistent request that does what MPI_Ineighbor_alltoallv does at each MPI_Start
 * (§7.8); collective.
 * Errors: as MPI_Neighbor_alltoallv, and MPI_ERR_INFO, MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Neighbor_alltoallv_init(const void *sendbuf, const int sendcounts[], const int sdispls[],
                                 MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                                 const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                                 MPI_Info info, MPI_Request *request)
{
    ENTER("MPI_Neighbor_alltoallv_init", sendbuf, sendcounts, sdispls, sendtype, recvbuf,
          recvcounts, rdispls, recvtype, comm, info, request);
    const struct coll_args a = neighbor_alltoallv_args(
        sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm);

    TRY(coll_init_call(&call, &coll_neighbor_alltoallv, &a, info, request));
    return mpir_leave(&call);
}
MPIR_WEAK(Neighbor_alltoallv_init);
