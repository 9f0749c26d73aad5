#include "mpi/coll/coll_doors.h"
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

/* As MPI_Neighbor_allgather, with blocks of any size at any place of recvbuf; displs counts
 * elements (§7.6.1).
 * Errors: as MPI_Neighbor_allgather, and MPI_ERR_ARG. */
#define PARAMETERS(Count, Displ)                                                                   \
    const void *sendbuf, Count sendcount, MPI_Datatype sendtype, void *recvbuf,                    \
        const Count recvcounts[], const Displ displs[], MPI_Datatype recvtype, MPI_Comm comm
#define ARGUMENTS sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm
#define COLL_ARGS                                                                                  \
    .sendbuf = sendbuf, .sendcount = sendcount, .sendtype = sendtype, .recvbuf = recvbuf,          \
    .recvcounts = MPIR_COUNTS(recvcounts), .rdispls = MPIR_COUNTS(displs), .recvtype = recvtype,   \
    .comm = comm
COLL_DOORS(coll_neighbor_allgatherv, Neighbor_allgatherv, Ineighbor_allgatherv,
           Neighbor_allgatherv_init);
