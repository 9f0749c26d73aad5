#include "mpi/coll/neighbors.h"

struct coll_operation coll_neighbor_allgather = { .kind = COLL_NEIGHBOR_ALLGATHER,
                                                  .resolve = neighbor_blocks_arg,
                                                  .choose = neighbor_choose_allgather };

/* The arguments of a call in any of its three forms. */
static inline struct coll_args neighbor_allgather_args(const void *sendbuf, MPI_Count sendcount,
                                                       MPI_Datatype sendtype, void *recvbuf,
                                                       MPI_Count recvcount, MPI_Datatype recvtype,
                                                       MPI_Comm comm)
{
    return (struct coll_args) { .sendbuf = sendbuf,
                                .sendcount = sendcount,
                                .sendtype = sendtype,
                                .recvbuf = recvbuf,
                                .recvcount = recvcount,
                                .recvtype = recvtype,
                                .comm = comm };
}

/* Sends a block to each destination in comm's topology, and puts the blocks of the sources in
 * their order in recvbuf (§7.6.1). Nothing goes to or comes from MPI_PROC_NULL, whose block is
 * not changed.
 * Errors: MPI_ERR_COMM, MPI_ERR_TOPOLOGY, MPI_ERR_BUFFER, MPI_ERR_COUNT, MPI_ERR_TYPE,
 * MPI_ERR_TRUNCATE. */
int PMPI_Neighbor_allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                            void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm)
{
    ENTER("MPI_Neighbor_allgather", sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype,
          comm);
    const struct coll_args a =
        neighbor_allgather_args(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);

    TRY(coll_call(&call, &coll_neighbor_allgather, &a));
    return mpir_leave(&call);
}
MPIR_WEAK(Neighbor_allgather);

/* Starts a nonblocking MPI_Neighbor_allgather; buffers and arrays must be kept until request is
 * complete (§7.7).
 * Errors: as MPI_Neighbor_allgather, and MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Ineighbor_allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                             void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                             MPI_Request *request)
{
    ENTER("MPI_Ineighbor_allgather", sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype,
          comm, request);
    const struct coll_args a =
        neighbor_allgather_args(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);

    TRY(coll_begin_call(&call, &coll_neighbor_allgather, &a, request));
    return mpir_leave(&call);
}
MPIR_WEAK(Ineighbor_allgather);

/* Makes a persistent request that does what MPI_Ineighbor_allgather does at each MPI_Start
 * (§7.8); collective.
 * Errors: as MPI_Neighbor_allgather, and MPI_ERR_INFO, MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Neighbor_allgather_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                                 void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                                 MPI_Info info, MPI_Request *request)
{
    ENTER("MPI_Neighbor_allgather_init", sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype,
          comm, info, request);
    const struct coll_args a =
        neighbor_allgather_args(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);

    TRY(coll_init_call(&call, &coll_neighbor_allgather, &a, info, request));
    return mpir_leave(&call);
}
MPIR_WEAK(Neighbor_allgather_init);
