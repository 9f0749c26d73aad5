#include "mpi/coll/coll_doors.h"
#include "mpi/coll/algo/algo.h"
#include "mpi/coll/algo/cost.h"
#include "mpi/coll/algo/neighbor.h"
#include "mpi/coll/nodes.h"

enum { SMALL = 32 << 10 }; /* bytes of all blocks */

enum { BRUCK, DOUBLING, NEIGHBOR, RING, ROWS };
static const struct coll_algorithm table[] = {
    [BRUCK] = { .name = "bruck", .run = allgatherv_bruck },
    [DOUBLING] = { .name = "doubling", .run = allgatherv_doubling, .fits = coll_power_of_two },
    [NEIGHBOR] = { .name = "neighbor", .run = allgatherv_neighbor, .fits = neighbor_fits },
    [RING] = { .name = "ring", .run = allgatherv_ring },
    { .name = NULL },
};

/* Blocks are taken to be of one size. */
static const struct coll_algorithm *choose_between(const struct coll *x)
{
    const struct cost_place at = cost_place_of(x);
    uint64_t all = 0;

    for (int i = 0; i < x->size; i++)
        all += coll_size(coll_recv_block(x, i));
    const uint64_t block = all / at.p, adapter = at.each * cost_bytes(all - all / at.nodes);
    const uint64_t rounds = cost_rounds(at.nodes) * cost_far(0);
    const uint64_t messages = at.p - at.each,
                   next = cost_larger(2 * COST_OVERHEAD, cost_bytes(block));
    uint64_t cost[ROWS] = { 0 };
    /* In each round on nodes some ranks at their ends send to the next node. */
    cost[BRUCK] =
        rounds + cost_rounds(at.each) * 4 * COST_OVERHEAD + adapter + cost_work(all + block);
    cost[DOUBLING] = rounds + cost_rounds(at.each) * COST_NEAR
                     + cost_larger((messages - cost_rounds(at.nodes)) * next, adapter);
    cost[NEIGHBOR] = cost_far(block) + (at.p / 2 - 1) * (cost_far(2 * block) + COST_OVERHEAD);
    if (at.each > 1) /* pairs are on one node and on two by turns */
        cost[NEIGHBOR] = at.p * (cost_far(2 * block) + cost_near(2 * block)) / 3;
    if (at.in_order)
        cost[RING] = cost_ring(&at, cost_far(block), cost_near(block));
    return cost_choose(x, table, cost, ROWS);
}

static const struct coll_algorithm *allgatherv_choose(const struct coll *x)
{
    size_t sum = 0;

    if (coll_between_nodes(x))
        return choose_between(x);
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
