#include "mpi/coll/coll_doors.h"
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

/* As MPI_Alltoallv, with a type for each block; displacements count bytes (§5.3.6).
 * Errors: MPI_ERR_COMM, MPI_ERR_BUFFER, MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_ARG,
 * MPI_ERR_TRUNCATE. */
#define PARAMETERS(Count, Displ)                                                                   \
    const void *sendbuf, const Count sendcounts[], const Displ sdispls[],                          \
        const MPI_Datatype sendtypes[], void *recvbuf, const Count recvcounts[],                   \
        const Displ rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm
#define ARGUMENTS                                                                                  \
    sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm
#define COLL_ARGS                                                                                  \
    .sendbuf = sendbuf, .sendcounts = MPIR_COUNTS(sendcounts), .sdispls = MPIR_COUNTS(sdispls),    \
    .sendtypes = sendtypes, .recvbuf = recvbuf, .recvcounts = MPIR_COUNTS(recvcounts),             \
    .rdispls = MPIR_COUNTS(rdispls), .recvtypes = recvtypes, .comm = comm
COLL_DOORS(coll_alltoallw, Alltoallw, Ialltoallw, Alltoallw_init);
