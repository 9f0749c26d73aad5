#include "mpi/coll/coll_doors.h"
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

/* As MPI_Neighbor_alltoall, with blocks of any size at any place; displacements count elements
 * (§7.6.2).
 * Errors: as MPI_Neighbor_alltoall, and MPI_ERR_ARG. */
#define PARAMETERS(Count, Displ)                                                                   \
    const void *sendbuf, const Count sendcounts[], const Displ sdispls[], MPI_Datatype sendtype,   \
        void *recvbuf, const Count recvcounts[], const Displ rdispls[], MPI_Datatype recvtype,     \
        MPI_Comm comm
#define ARGUMENTS                                                                                  \
    sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm
#define COLL_ARGS                                                                                  \
    .sendbuf = sendbuf, .sendcounts = MPIR_COUNTS(sendcounts), .sdispls = MPIR_COUNTS(sdispls),    \
    .sendtype = sendtype, .recvbuf = recvbuf, .recvcounts = MPIR_COUNTS(recvcounts),               \
    .rdispls = MPIR_COUNTS(rdispls), .recvtype = recvtype, .comm = comm
COLL_DOORS(coll_neighbor_alltoallv, Neighbor_alltoallv, Ineighbor_alltoallv,
           Neighbor_alltoallv_init);
