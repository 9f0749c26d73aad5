#include "mpi/coll/algo/algo.h"
#include "mpi/coll/algo/neighbor.h"

enum { SMALL = 32 << 10 }; /* bytes of all blocks */

enum { BRUCK, DOUBLING, NEIGHBOR, RING };
static const struct coll_algorithm table[] = {
    [BRUCK] = { .name = "bruck", .run = allgatherv_bruck },
    [DOUBLING] = { .name = "doubling", .run = allgatherv_doubling, .fits = coll_power_of_two },
    [NEIGHBOR] = { .name = "neighbor", .run = allgatherv_neighbor, .fits = neighbor_fits },
    [RING] = { .name = "ring", .run = allgatherv_ring },
    { .name = NULL },
};

static const struct coll_algorithm *allgatherv_choose(const struct coll *x)
{
    size_t sum = 0;

    for (int i = 0; i < x->size && sum < SMALL; i++)
        sum += coll_size(coll_recv_block(x, i));
    return sum < SMALL ? &table[BRUCK] : &table[RING];
}

static int allgatherv_resolve(struct coll *x, const struct coll_args *a)
{
    struct adi3_data own;
    int err = coll_recv_blocks_arg(x, a, "displs");

    if (err)
        return err;
    if (x->comm->remote)
        return coll_send_arg(x, a, NULL);
    own = coll_recv_block(x, x->rank);
    return coll_send_arg(x, a, &own);
}

struct coll_operation coll_allgatherv = { .kind = COLL_ALLGATHERV,
                                          .resolve = allgatherv_resolve,
                                          .table = table,
                                          .choose = allgatherv_choose,
                                          .inter = allgatherv_inter };

/* The arguments of a call in any of its three forms. */
static inline struct coll_args allgatherv_args(const void *sendbuf, MPI_Count sendcount,
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

/* Puts the blocks of all processes of comm at their places in recvbuf of each process; displs
 * counts elements (§5.3.5).
 * Errors: MPI_ERR_COMM, MPI_ERR_BUFFER, MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_ARG,
 * MPI_ERR_TRUNCATE. */
int PMPI_Allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                    const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                    MPI_Comm comm)
{
    ENTER("MPI_Allgatherv", sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype,
          comm);
    const struct coll_args a =
        allgatherv_args(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm);

    TRY(coll_call(&call, &coll_allgatherv, &a));
    return mpir_leave(&call);
}
MPIR_WEAK(Allgatherv);

/* Starts a nonblocking MPI_Allgatherv; buffers and arrays must be kept until request is complete
 * (§5.12).
 * Errors: as MPI_Allgatherv, and MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Iallgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                     const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                     MPI_Comm comm, MPI_Request *request)
{
    ENTER("MPI_Iallgatherv", sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype,
          comm, request);
    const struct coll_args a =
        allgatherv_args(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm);

    TRY(coll_begin_call(&call, &coll_allgatherv, &a, request));
    return mpir_leave(&call);
}
MPIR_WEAK(Iallgatherv);

/* Makes a persistent request that does what MPI_Iallgatherv does at each MPI_Start (§5.13);
 * collective.
 * Errors: as MPI_Allgatherv, and MPI_ERR_INFO, MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Allgatherv_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                         const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                         MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    ENTER("MPI_Allgatherv_init", sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs,
          recvtype, comm, info, request);
    const struct coll_args a =
        allgatherv_args(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm);

    TRY(coll_init_call(&call, &coll_allgatherv, &a, info, request));
    return mpir_leave(&call);
}
MPIR_WEAK(Allgatherv_init);
