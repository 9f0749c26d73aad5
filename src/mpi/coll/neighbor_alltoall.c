#include "mpi/coll/coll_doors.h"
#include "mpi/coll/neighbors.h"

struct coll_operation coll_neighbor_alltoall = { .kind = COLL_NEIGHBOR_ALLTOALL,
                                                 .resolve = neighbor_blocks_arg,
                                                 .choose = neighbor_choose_alltoall };

/* Sends each destination in comm's topology its block of sendbuf, and puts the blocks of the
 * sources in their order in recvbuf (§7.6.2). Nothing goes to or comes from MPI_PROC_NULL, whose
 * block is not changed.
 * Errors: MPI_ERR_COMM, MPI_ERR_TOPOLOGY, MPI_ERR_BUFFER, MPI_ERR_COUNT, MPI_ERR_TYPE,
 * MPI_ERR_TRUNCATE. */
#define PARAMETERS(Count, Displ)                                                                   \
    const void *sendbuf, Count sendcount, MPI_Datatype sendtype, void *recvbuf, Count recvcount,   \
        MPI_Datatype recvtype, MPI_Comm comm
#define ARGUMENTS sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm
#define COLL_ARGS                                                                                  \
    .sendbuf = sendbuf, .sendcount = sendcount, .sendtype = sendtype, .recvbuf = recvbuf,          \
    .recvcount = recvcount, .recvtype = recvtype, .comm = comm
COLL_DOORS(coll_neighbor_alltoall, Neighbor_alltoall, Ineighbor_alltoall, Neighbor_alltoall_init);
