#include "algo/algo.h"

enum { SMALL = 32 << 10 }; /* bytes of all blocks */

enum { BRUCK, RING };
static const struct coll_algorithm table[] = {
    [BRUCK] = { .name = "bruck", .run = allgatherv_bruck },
    [RING] = { .name = "ring", .run = allgatherv_ring },
    { .name = NULL },
};

static const struct coll_algorithm *choose(const struct coll *x)
{
    size_t sum = 0;

    for (int i = 0; i < x->size && sum < SMALL; i++)
        sum += coll_size(coll_recv_block(x, i));
    return sum < SMALL ? &table[BRUCK] : &table[RING];
}

struct coll_operation coll_allgatherv = { .tag = COLL_ALLGATHERV,
                                          .table = table,
                                          .choose = choose };

/* Puts the blocks of all processes of comm at their places in recvbuf of each, displs counted in
 * elements (§5.3.5).
 * Errors: MPI_ERR_COMM, MPI_ERR_BUFFER, MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_ARG,
 * MPI_ERR_TRUNCATE. */
int PMPI_Allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                    const int recvcounts[], const int displs[], MPI_Datatype recvtype,
                    MPI_Comm comm)
{
    ENTER("MPI_Allgatherv", sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype,
          comm);
    struct coll_blocks to = { recvbuf, recvcounts, displs, recvtype, "recvcounts", "displs" };
    struct adi3_comm *c;
    struct adi3_data own;
    struct coll x;

    TRY(mpir_comm_arg(&call, comm, &c));
    coll_begin(&x, c);
    TRY(coll_blocks_arg(c, &to, &x.recv));
    x.recvcounts = recvcounts;
    x.rdispls = displs;
    own = coll_recv_block(&x, c->rank);
    TRY(coll_send_arg(&x, sendbuf, sendcount, sendtype, &own));
    TRY(coll_run(&coll_allgatherv, &x));
    return mpir_leave(&call);
}
MPIR_WEAK(Allgatherv);
