#include "algo/algo.h"

enum { TINY = 128, MANY = 8, LARGE = 32 << 10 }; /* bytes of a block; processes */

static bool in_place(const struct coll *x) { return x->in_place; }
static bool apart(const struct coll *x) { return !x->in_place; }

static const struct coll_algorithm table[] = {
    { .name = "bruck", .run = alltoall_bruck },
    { .name = "spread", .run = alltoall_spread, .fits = apart },
    { .name = "pairwise", .run = alltoall_pairwise, .fits = apart },
    { .name = "swap", .run = alltoall_swap, .fits = in_place },
    { .name = NULL },
};

static const struct coll_algorithm *choose(const struct coll *x)
{
    size_t block = coll_size(x->recv);

    if (block <= TINY && x->size >= MANY)
        return &table[0];
    if (x->in_place)
        return &table[3];
    return block < LARGE ? &table[1] : &table[2];
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
