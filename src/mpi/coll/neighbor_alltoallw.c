#include "mpi/coll/neighbors.h"

static int neighbor_alltoallw_resolve(struct coll *x, const struct coll_args *a)
{
    int err = neighbor_topology_arg(x);

    if (!err)
        err = coll_recv_typed_arg(x, a);
    if (!err)
        err = coll_send_typed_arg(x, a);
    return err;
}

struct coll_operation coll_neighbor_alltoallw = { .kind = COLL_NEIGHBOR_ALLTOALLW,
                                                  .resolve = neighbor_alltoallw_resolve,
                                                  .choose = neighbor_choose_alltoall };

/* The arguments of a call in any of its three forms. */
static inline struct coll_args
neighbor_alltoallw_args(const void *sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                        const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
                        const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm)
{
    return (struct coll_args) { .sendbuf = sendbuf,
                                .sendcounts.ints = sendcounts,
                                .sdispls.wide = sdispls,
                                .sendtypes = sendtypes,
                                .recvbuf = recvbuf,
                                .recvcounts.ints = recvcounts,
                                .rdispls.wide = rdispls,
                                .recvtypes = recvtypes,
                                .comm = comm };
}

/* As MPI_Neighbor_alltoallv, with a type for each block; displacements count bytes (§7.6.2).
 * Errors: as MPI_Neighbor_alltoall, and MPI_ERR_ARG. */
int PMPI_Neighbor_alltoallw(const void *sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                            const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
                            const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm)
{
    ENTER("MPI_Neighbor_alltoallw", sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts,
          rdispls, recvtypes, comm);
    const struct coll_args a = neighbor_alltoallw_args(
        sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm);

    TRY(coll_call(&call, &coll_neighbor_alltoallw, &a));
    return mpir_leave(&call);
}
MPIR_WEAK(Neighbor_alltoallw);

/* Starts a nonblocking MPI_Neighbor_alltoallw; buffers and arrays must be kept until request is
 * complete (§7.7).
 * Errors: as MPI_Neighbor_alltoallw, and MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Ineighbor_alltoallw(const void *sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                             const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
                             const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
                             MPI_Comm comm, MPI_Request *request)
{
    ENTER("MPI_Ineighbor_alltoallw", sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts,
          rdispls, recvtypes, comm, request);
    const struct coll_args a = neighbor_alltoallw_args(
        sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm);

    TRY(coll_begin_call(&call, &coll_neighbor_alltoallw, &a, request));
    return mpir_leave(&call);
}
MPIR_WEAK(Ineighbor_alltoallw);

/* Makes a persistent request that does what MPI_Ineighbor_alltoallw does at each MPI_Start
 * (§7.8); collective.
 * Errors: as MPI_Neighbor_alltoallw, and MPI_ERR_INFO, MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Neighbor_alltoallw_init(const void *sendbuf, const int sendcounts[],
                                 const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],
                                 void *recvbuf, const int recvcounts[], const MPI_Aint rdispls[],
                                 const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Info info,
                                 MPI_Request *request)
{
    ENTER("MPI_Neighbor_alltoallw_init", sendbuf, sendcounts, sdispls, sendtypes, recvbuf,
          recvcounts, rdispls, recvtypes, comm, info, request);
    const struct coll_args a = neighbor_alltoallw_args(
        sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm);

    TRY(coll_init_call(&call, &coll_neighbor_alltoallw, &a, info, request));
    return mpir_leave(&call);
}
MPIR_WEAK(Neighbor_alltoallw_init);
