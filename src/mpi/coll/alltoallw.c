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

struct coll_operation coll_alltoallw = { .tag = COLL_ALLTOALLW, .table = table, .choose = choose };

static int recv_blocks(struct coll *x, const struct coll_typed_blocks *to)
{
    x->recv.buf = (void *) (uintptr_t) to->buf;
    x->recvcounts = to->counts;
    x->rdispls = to->displs;
    x->recvtypes = to->types;
    return coll_typed_blocks_arg(to, x->size);
}

/* What MPI_IN_PLACE leaves of the send arguments is nothing. */
static int send_blocks(struct coll *x, const struct coll_typed_blocks *from)
{
    x->in_place = from->buf == MPI_IN_PLACE;
    if (x->in_place)
        return MPI_SUCCESS;
    int err = coll_typed_blocks_arg(from, x->size);
    if (err)
        return err;
    x->send.buf = (void *) (uintptr_t) from->buf;
    x->sendcounts = from->counts;
    x->sdispls = from->displs;
    x->sendtypes = from->types;
    return coll_apart_arg(coll_send_block(x, x->rank), coll_recv_block(x, x->rank));
}

/* As MPI_Alltoallv, with a type for each block, and displacements counted in bytes (§5.3.6).
 * Errors: MPI_ERR_COMM, MPI_ERR_BUFFER, MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_ARG,
 * MPI_ERR_TRUNCATE. */
int PMPI_Alltoallw(const void *sendbuf, const int sendcounts[], const int sdispls[],
                   const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
                   const int rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm)
{
    ENTER("MPI_Alltoallw", sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls,
          recvtypes, comm);
    struct coll_typed_blocks from = { sendbuf,   sendcounts,   sdispls,   NULL,
                                      sendtypes, "sendcounts", "sdispls", "sendtypes" };
    struct coll_typed_blocks to = { recvbuf,   recvcounts,   rdispls,   NULL,
                                    recvtypes, "recvcounts", "rdispls", "recvtypes" };
    struct adi3_comm *c;
    struct coll x;

    TRY(mpir_comm_arg(&call, comm, &c));
    coll_begin(&x, c);
    TRY(recv_blocks(&x, &to));
    TRY(send_blocks(&x, &from));
    TRY(coll_run(&coll_alltoallw, &x));
    return mpir_leave(&call);
}
MPIR_WEAK(Alltoallw);
