#include "mpi/coll/alltoallv.h"
#include "mpi/coll/algo/algo.h"

static bool in_place(const struct coll *x) { return x->in_place; }
static bool is_out_of_place(const struct coll *x) { return !x->in_place; }

enum { SPREAD, SCATTERED, PAIRWISE, SWAP };
const struct coll_algorithm alltoallv_table[] = {
    [SPREAD] = { .name = "spread", .run = alltoall_spread, .fits = is_out_of_place },
    [SCATTERED] = { .name = "scattered", .run = alltoall_scattered, .fits = is_out_of_place },
    [PAIRWISE] = { .name = "pairwise", .run = alltoall_pairwise, .fits = is_out_of_place },
    [SWAP] = { .name = "swap", .run = alltoall_swap, .fits = in_place },
    { .name = NULL },
};

const struct coll_algorithm *alltoallv_choose(const struct coll *x)
{
    return x->in_place ? &alltoallv_table[SWAP] : &alltoallv_table[SPREAD];
}

/* With MPI_IN_PLACE the other send arguments are not used. */
static int alltoallv_resolve(struct coll *x, const struct coll_args *a)
{
    int err = coll_recv_blocks_arg(x, a, "rdispls");

    x->in_place = a->sendbuf == MPI_IN_PLACE && !x->comm->remote;
    if (!err && !x->in_place)
        err = coll_send_blocks_arg(x, a, "sdispls");
    if (err || x->in_place || x->comm->remote)
        return err;
    return coll_no_alias_arg(coll_send_block(x, x->rank), coll_recv_block(x, x->rank));
}

struct coll_operation coll_alltoallv = { .kind = COLL_ALLTOALLV,
                                         .resolve = alltoallv_resolve,
                                         .table = alltoallv_table,
                                         .choose = alltoallv_choose,
                                         .inter = alltoall_inter };

/* The arguments of a call in any of its three forms. */
static inline struct coll_args alltoallv_args(const void *sendbuf, const int sendcounts[],
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

/* As MPI_Alltoall, with blocks of any size; displacements count elements (§5.3.6).
 * Errors: MPI_ERR_COMM, MPI_ERR_BUFFER, MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_ARG,
 * MPI_ERR_TRUNCATE. */
int PMPI_Alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[],
                   MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                   const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm)
{
    ENTER("MPI_Alltoallv", sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls,
          recvtype, comm);
    const struct coll_args a = alltoallv_args(sendbuf, sendcounts, sdispls, sendtype, recvbuf,
                                              recvcounts, rdispls, recvtype, comm);

    TRY(coll_call(&call, &coll_alltoallv, &a));
    return mpir_leave(&call);
}
MPIR_WEAK(Alltoallv);

/* Starts a nonblocking MPI_Alltoallv; buffers and arrays must be kept until request is complete
 * (§5.12).
 * Errors: as MPI_Alltoallv, and MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Ialltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[],
                    MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                    const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request)
{
    ENTER("MPI_Ialltoallv", sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls,
          recvtype, comm, request);
    const struct coll_args a = alltoallv_args(sendbuf, sendcounts, sdispls, sendtype, recvbuf,
                                              recvcounts, rdispls, recvtype, comm);

    TRY(coll_begin_call(&call, &coll_alltoallv, &a, request));
    return mpir_leave(&call);
}
MPIR_WEAK(Ialltoallv);

/* Makes a persistent request that does what MPI_Ialltoallv does at each MPI_Start (§5.13);
 * collective.
 * Errors: as MPI_Alltoallv, and MPI_ERR_INFO, MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Alltoallv_init(const void *sendbuf, const int sendcounts[], const int sdispls[],
                        MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                        const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                        MPI_Request *request)
{
    ENTER("MPI_Alltoallv_init", sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts,
          rdispls, recvtype, comm, info, request);
    const struct coll_args a = alltoallv_args(sendbuf, sendcounts, sdispls, sendtype, recvbuf,
                                              recvcounts, rdispls, recvtype, comm);

    TRY(coll_init_call(&call, &coll_alltoallv, &a, info, request));
    return mpir_leave(&call);
}
MPIR_WEAK(Alltoallv_init);
