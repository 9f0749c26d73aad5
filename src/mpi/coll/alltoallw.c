#include "mpi/coll/alltoallv.h"
#include "mpi/coll/algo/algo.h"

/* With MPI_IN_PLACE the other send arguments are not used. */
static int alltoallw_resolve(struct coll *x, const struct coll_args *a)
{
    int err = coll_recv_typed_arg(x, a);

    x->in_place = a->sendbuf == MPI_IN_PLACE && !x->comm->remote;
    if (!err && !x->in_place)
        err = coll_send_typed_arg(x, a);
    if (err || x->in_place || x->comm->remote)
        return err;
    return coll_no_alias_arg(coll_send_block(x, x->rank), coll_recv_block(x, x->rank));
}

struct coll_operation coll_alltoallw = { .kind = COLL_ALLTOALLW,
                                         .resolve = alltoallw_resolve,
                                         .table = alltoallv_table,
                                         .choose = alltoallv_choose,
                                         .inter = alltoall_inter };

/* The arguments of a call in any of its three forms. */
static inline struct coll_args alltoallw_args(const void *sendbuf, const int sendcounts[],
                                              const int sdispls[], const MPI_Datatype sendtypes[],
                                              void *recvbuf, const int recvcounts[],
                                              const int rdispls[], const MPI_Datatype recvtypes[],
                                              MPI_Comm comm)
{
    return (struct coll_args) { .sendbuf = sendbuf,
                                .sendcounts.ints = sendcounts,
                                .sdispls.ints = sdispls,
                                .sendtypes = sendtypes,
                                .recvbuf = recvbuf,
                                .recvcounts.ints = recvcounts,
                                .rdispls.ints = rdispls,
                                .recvtypes = recvtypes,
                                .comm = comm };
}

/* As MPI_Alltoallv, with a type for each block; displacements count bytes (§5.3.6).
 * Errors: MPI_ERR_COMM, MPI_ERR_BUFFER, MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_ARG,
 * MPI_ERR_TRUNCATE. */
int PMPI_Alltoallw(const void *sendbuf, const int sendcounts[], const int sdispls[],
                   const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
                   const int rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm)
{
    ENTER("MPI_Alltoallw", sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls,
          recvtypes, comm);
    const struct coll_args a = alltoallw_args(sendbuf, sendcounts, sdispls, sendtypes, recvbuf,
                                              recvcounts, rdispls, recvtypes, comm);

    TRY(coll_call(&call, &coll_alltoallw, &a));
    return mpir_leave(&call);
}
MPIR_WEAK(Alltoallw);

/* Starts a nonblocking MPI_Alltoallw; buffers and arrays must be kept until request is complete
 * (§5.12).
 * Errors: as MPI_Alltoallw, and MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Ialltoallw(const void *sendbuf, const int sendcounts[], const int sdispls[],
                    const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
                    const int rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
                    MPI_Request *request)
{
    ENTER("MPI_Ialltoallw", sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls,
          recvtypes, comm, request);
    const struct coll_args a = alltoallw_args(sendbuf, sendcounts, sdispls, sendtypes, recvbuf,
                                              recvcounts, rdispls, recvtypes, comm);

    TRY(coll_begin_call(&call, &coll_alltoallw, &a, request));
    return mpir_leave(&call);
}
MPIR_WEAK(Ialltoallw);

/* Makes a persistent request that does what MPI_Ialltoallw does at each MPI_Start (§5.13);
 * collective.
 * Errors: as MPI_Alltoallw, and MPI_ERR_INFO, MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Alltoallw_init(const void *sendbuf, const int sendcounts[], const int sdispls[],
                        const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
                        const int rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
                        MPI_Info info, MPI_Request *request)
{
    ENTER("MPI_Alltoallw_init", sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts,
          rdispls, recvtypes, comm, info, request);
    const struct coll_args a = alltoallw_args(sendbuf, sendcounts, sdispls, sendtypes, recvbuf,
                                              recvcounts, rdispls, recvtypes, comm);

    TRY(coll_init_call(&call, &coll_alltoallw, &a, info, request));
    return mpir_leave(&call);
}
MPIR_WEAK(Alltoallw_init);
