#include "mpi/coll/coll_doors.h"
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

/* As MPI_Neighbor_alltoallv, with a type for each block; displacements count bytes (§7.6.2).
 * Errors: as MPI_Neighbor_alltoall, and MPI_ERR_ARG. */
#define PARAMETERS(Count, Displ)                                                                   \
    const void *sendbuf, const Count sendcounts[], const MPI_Aint sdispls[],                       \
        const MPI_Datatype sendtypes[], void *recvbuf, const Count recvcounts[],                   \
        const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm
#define ARGUMENTS                                                                                  \
    sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm
#define COLL_ARGS                                                                                  \
    .sendbuf = sendbuf, .sendcounts = MPIR_COUNTS(sendcounts), .sdispls = MPIR_COUNTS(sdispls),    \
    .sendtypes = sendtypes, .recvbuf = recvbuf, .recvcounts = MPIR_COUNTS(recvcounts),             \
    .rdispls = MPIR_COUNTS(rdispls), .recvtypes = recvtypes, .comm = comm
COLL_DOORS(coll_neighbor_alltoallw, Neighbor_alltoallw, Ineighbor_alltoallw,
           Neighbor_alltoallw_init);
