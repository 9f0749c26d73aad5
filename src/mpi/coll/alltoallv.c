#include "algo/algo.h"

static bool in_place(const struct coll *x) { return x->in_place; }
static bool apart(const struct coll *x) { return !x->in_place; }

enum { SPREAD, SCATTERED, PAIRWISE, SWAP };
static const struct coll_algorithm table[] = {
    [SPREAD] = { .name = "spread", .run = alltoall_spread, .fits = apart },
    [SCATTERED] = { .name = "scattered", .run = alltoall_scattered, .fits = apart },
    [PAIRWISE] = { .name = "pairwise", .run = alltoall_pairwise, .fits = apart },
    [SWAP] = { .name = "swap", .run = alltoall_swap, .fits = in_place },
    { .name = NULL },
};

static const struct coll_algorithm *choose(const struct coll *x)
{
    return x->in_place ? &table[SWAP] : &table[SPREAD];
}

struct coll_operation coll_alltoallv = { .tag = COLL_ALLTOALLV, .table = table, .choose = choose };

/* What MPI_IN_PLACE leaves of the send arguments is nothing. */
static int send_blocks(struct coll *x, const struct coll_blocks *from)
{
    x->in_place = from->buf == MPI_IN_PLACE;
    if (x->in_place)
        return MPI_SUCCESS;
    int err = coll_blocks_arg(x->comm, from, &x->send);
    if (err)
        return err;
    x->sendcounts = from->counts;
    x->sdispls = from->displs;
    return coll_apart_arg(coll_send_block(x, x->rank), coll_recv_block(x, x->rank));
}

/* As MPI_Alltoall, with blocks of any size, displacements counted in elements (§5.3.6).
 * Errors: MPI_ERR_COMM, MPI_ERR_BUFFER, MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_ARG,
 * MPI_ERR_TRUNCATE. */
int PMPI_Alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[],
                   MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                   const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm)
{
    ENTER("MPI_Alltoallv", sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls,
          recvtype, comm);
    struct coll_blocks from = { sendbuf, sendcounts, sdispls, sendtype, "sendcounts", "sdispls" };
    struct coll_blocks to = { recvbuf, recvcounts, rdispls, recvtype, "recvcounts", "rdispls" };
    struct adi3_comm *c;
    struct coll x;

    TRY(mpir_comm_arg(&call, comm, &c));
    coll_begin(&x, c);
    TRY(coll_blocks_arg(c, &to, &x.recv));
    x.recvcounts = recvcounts;
    x.rdispls = rdispls;
    TRY(send_blocks(&x, &from));
    TRY(coll_run(&coll_alltoallv, &x));
    return mpir_leave(&call);
}
MPIR_WEAK(Alltoallv);
