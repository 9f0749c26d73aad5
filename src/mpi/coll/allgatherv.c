#include "mpi/coll/coll_doors.h"
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

/* Puts the blocks of all processes of comm at their places in recvbuf of each process; displs
 * counts elements (§5.3.5).
 * Errors: MPI_ERR_COMM, MPI_ERR_BUFFER, MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_ARG,
 * MPI_ERR_TRUNCATE. */
#define PARAMETERS(Count, Displ)                                                                   \
    const void *sendbuf, Count sendcount, MPI_Datatype sendtype, void *recvbuf,                    \
        const Count recvcounts[], const Displ displs[], MPI_Datatype recvtype, MPI_Comm comm
#define ARGUMENTS sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm
#define COLL_ARGS                                                                                  \
    .sendbuf = sendbuf, .sendcount = sendcount, .sendtype = sendtype, .recvbuf = recvbuf,          \
    .recvcounts = MPIR_COUNTS(recvcounts), .rdispls = MPIR_COUNTS(displs), .recvtype = recvtype,   \
    .comm = comm
COLL_DOORS(coll_allgatherv, Allgatherv, Iallgatherv, Allgatherv_init);
