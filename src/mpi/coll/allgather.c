#include "mpi/coll/coll_doors.h"
#include "mpi/coll/algo/cost.h"
#include "mpi/coll/algo/neighbor.h"
#include "mpi/coll/algo/shared.h"
#include "mpi/coll/nodes.h"

enum { SHARED_SMALL = 16 << 10 }; /* bytes of a block */
enum {
    SMALL = 32 << 10,
    LARGE = 512 << 10,
    OVERSUBSCRIBED_SMALL = 16 << 10
}; /* bytes of all blocks */

enum { BRUCK, DOUBLING, NEIGHBOR, RING, TREE, LINEAR, NODES, SHARED, DIRECT, ROWS };
static const struct coll_algorithm table[] = {
    [BRUCK] = { .name = "bruck", .run = allgather_bruck },
    [DOUBLING] = { .name = "doubling", .run = allgather_doubling, .fits = coll_power_of_two },
    [NEIGHBOR] = { .name = "neighbor", .run = allgather_neighbor, .fits = neighbor_fits },
    [RING] = { .name = "ring", .run = allgather_ring },
    [TREE] = { .name = "tree", .run = allgather_tree },
    [LINEAR] = { .name = "linear", .run = allgather_linear },
    [NODES] = { .name = "nodes", .run = allgather_nodes, .fits = coll_in_phases },
    [SHARED] = { .name = "shared", .run = allgather_shared, .fits = shared_fits },
    [DIRECT] = { .name = "direct", .run = allgather_direct, .fits = shared_fits },
    { .name = NULL },
};

/* The algorithm in shared memory that is best; NULL when messages are better. Where processes
 * wait for cores, none should wait for the one that copies. */
static const struct coll_algorithm *choose_shared(const struct coll *x)
{
    size_t len = coll_size(x->recv);

    if (!shared_fits(x))
        return NULL;
    if (len <= SHARED_SMALL || (x->comm->oversubscribed && !shared_few_copy(x, len)))
        return &table[SHARED];
    return &table[DIRECT];
}

/* One process on each node. */
static void alone_costs(uint64_t p, uint64_t block, uint64_t *cost)
{
    const uint64_t rounds = cost_rounds(p) * cost_far(0) + cost_bytes((p - 1) * block);

    cost[BRUCK] = rounds + cost_work((p + 1) * block);
    cost[DOUBLING] = rounds + cost_work(block);
    cost[RING] = (p - 1) * cost_far(block) + cost_work(block);
    cost[NEIGHBOR] = cost_far(block) + (p / 2 - 1) * cost_far(2 * block) + cost_work(block);
}

/* The leaders have no doubling: their blocks may be of different sizes. */
static uint64_t nodes_cost(const struct coll *x, const struct cost_place *at, uint64_t block)
{
    const uint64_t all = at->p * block, gather = cost_near(block) + at->each * COST_NEAR / 3;
    uint64_t cost[ROWS] = { 0 };

    alone_costs(at->nodes, at->each * block, cost);
    cost[DOUBLING] = 0;
    if (at->nodes % 2 > 0)
        cost[NEIGHBOR] = 0;
    return gather + cost_least(cost, NODES) + cost_bcast_phase(x, at, all);
}

static const struct coll_algorithm *choose_between(const struct coll *x)
{
    const struct cost_place at = cost_place_of(x);
    const uint64_t block = coll_size(x->recv), others = at.p - at.each;
    uint64_t cost[ROWS] = { 0 };

    if (at.each == 1) {
        alone_costs(at.p, block, cost);
        return cost_choose(x, table, cost, ROWS);
    }
    cost[NODES] = nodes_cost(x, &at, block);
    cost[DOUBLING] = cost_rounds(at.nodes) * cost_far(0) + cost_rounds(at.each) * cost_near(0)
                     + at.each * cost_bytes(others * block);
    if (at.in_order)
        cost[RING] = cost_ring(&at, cost_far(block), cost_near(block));
    return cost_choose(x, table, cost, ROWS);
}

static const struct coll_algorithm *allgather_choose(const struct coll *x)
{
    size_t all = coll_size(x->recv) * (size_t) x->size;

    if (coll_between_nodes(x))
        return choose_between(x);
    const struct coll_algorithm *shared = choose_shared(x);

    if (shared)
        return shared;
    if (coll_oversubscribed(x) && all < OVERSUBSCRIBED_SMALL)
        return &table[LINEAR];
    if (coll_power_of_two(x))
        return all < LARGE ? &table[DOUBLING] : &table[RING];
    return all < SMALL ? &table[BRUCK] : &table[RING];
}

static int allgather_resolve(struct coll *x, const struct coll_args *a)
{
    struct adi3_data own;
    int err = mpir_data_arg(a->recvbuf, a->recvcount, a->recvtype, &x->recv);

    if (err)
        return err;
    if (x->comm->remote)
        return coll_send_arg(x, a, NULL);
    own = coll_block(&x->recv, x->rank);
    return coll_send_arg(x, a, &own);
}

struct coll_operation coll_allgather = { .kind = COLL_ALLGATHER,
                                         .resolve = allgather_resolve,
                                         .table = table,
                                         .choose = allgather_choose,
                                         .inter = allgather_inter };

/* Puts the blocks of all processes of comm in rank order in recvbuf of each process (§5.3.5).
 * Errors: MPI_ERR_COMM, MPI_ERR_BUFFER, MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_TRUNCATE. */
#define PARAMETERS(Count, Displ)                                                                   \
    const void *sendbuf, Count sendcount, MPI_Datatype sendtype, void *recvbuf, Count recvcount,   \
        MPI_Datatype recvtype, MPI_Comm comm
#define ARGUMENTS sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm
#define COLL_ARGS                                                                                  \
    .sendbuf = sendbuf, .sendcount = sendcount, .sendtype = sendtype, .recvbuf = recvbuf,          \
    .recvcount = recvcount, .recvtype = recvtype, .comm = comm
COLL_DOORS(coll_allgather, Allgather, Iallgather, Allgather_init);
