#include "algo/algo.h"

enum { TINY = 256, MANY = 24, SMALL = 1 << 10, LARGE = 1 << 20 }; /* bytes of a block; processes */

static bool in_place(const struct coll *x) { return x->in_place; }
static bool apart(const struct coll *x) { return !x->in_place; }

enum { BRUCK, SPREAD, SCATTERED, PAIRWISE, SWAP };
static const struct coll_algorithm table[] = {
    [BRUCK] = { .name = "bruck", .run = alltoall_bruck },
    [SPREAD] = { .name = "spread", .run = alltoall_spread, .fits = apart },
    [SCATTERED] = { .name = "scattered", .run = alltoall_scattered, .fits = apart },
    [PAIRWISE] = { .name = "pairwise", .run = alltoall_pairwise, .fits = apart },
    [SWAP] = { .name = "swap", .run = alltoall_swap, .fits = in_place },
    { .name = NULL },
};

static const struct coll_algorithm *choose(const struct coll *x)
{
    size_t block = coll_size(x->recv);

    if (x->in_place)
        return block < SMALL ? &table[BRUCK] : &table[SWAP];
    if (block < TINY && x->size >= MANY)
        return &table[BRUCK];
    return block < LARGE ? &table[SPREAD] : &table[PAIRWISE];
}

struct coll_operation coll_alltoall = { .tag = COLL_ALLTOALL, .table = table, .choose = choose };

/* Sends block j of sendbuf to process j, and gets a block from each (§5.3.6).
 * Errors: MPI_ERR_COMM, MPI_ERR_BUFFER, MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_TRUNCATE. */
int PMPI_Alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                  int recvcount, MPI_Datatype recvtype, MPI_Comm comm)
{
    ENTER("MPI_Alltoall", sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
    struct adi3_comm *c;
    struct coll x;

    TRY(mpir_comm_arg(&call, comm, &c));
    coll_begin(&x, c);
    TRY(mpir_data_arg(recvbuf, recvcount, recvtype, &x.recv));
    TRY(coll_send_arg(&x, sendbuf, sendcount, sendtype, &x.recv));
    x.in_place = sendbuf == MPI_IN_PLACE;
    TRY(coll_run(&coll_alltoall, &x));
    return mpir_leave(&call);
}
MPIR_WEAK(Alltoall);
