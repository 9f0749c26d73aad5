#include "mpi/coll/coll_doors.h"
#include "mpi/core/large.h"
#include "mpi/coll/alltoallv.h"
#include "mpi/coll/algo/algo.h"

static bool in_place(const struct coll *x) { return x->in_place; }
static bool is_out_of_place(const struct coll *x) { return !x->in_place; }

enum { SPREAD, SCATTERED, PAIRWISE, SWAP, SHARED };
const struct coll_algorithm alltoallv_table[] = {
    [SPREAD] = { .name = "spread", .run = alltoall_spread, .fits = is_out_of_place },
    [SCATTERED] = { .name = "scattered", .run = alltoall_scattered, .fits = is_out_of_place },
    [PAIRWISE] = { .name = "pairwise", .run = alltoall_pairwise, .fits = is_out_of_place },
    [SWAP] = { .name = "swap", .run = alltoall_swap, .fits = in_place },
    [SHARED] = { .name = "shared", .run = alltoallv_shared, .fits = alltoallv_shared_fits },
    { .name = NULL },
};

const struct coll_algorithm *alltoallv_choose(const struct coll *x)
{
    if (alltoallv_shared_fits(x))
        return &alltoallv_table[SHARED];
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

/* As MPI_Alltoall, with blocks of any size; displacements count elements (§5.3.6).
 * Errors: MPI_ERR_COMM, MPI_ERR_BUFFER, MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_ARG,
 * MPI_ERR_TRUNCATE. */
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
COLL_DOORS(coll_alltoallv, Alltoallv, Ialltoallv, Alltoallv_init);
COLL_LARGE_DOOR(coll_alltoallv, alltoallv_c, Alltoallv_c);
