#include "mpi/coll/coll_doors.h"
#include "mpi/coll/algo/cost.h"
#include "mpi/coll/algo/shared.h"
#include "mpi/coll/nodes.h"

/* bytes */
enum { SHARED_SMALL = 16 << 10 };
enum { LARGE = 16 << 10, LARGE_FOR_TWO = 512 << 10, LARGE_BLOCK = 128 << 10 };
enum { OVERSUBSCRIBED_SMALL = 32 << 10, OVERSUBSCRIBED_LARGE = 256 << 10 };

static bool has_commuting_blocks(const struct coll *x)
{
    return x->op->commutes && coll_has_blocks(x);
}

enum { DOUBLING, MULTIPLYING, HALVING, CIRCULANT, RING, TREE, LINEAR, NODES, SHARED, DIRECT, ROWS };
static const struct coll_algorithm table[] = {
    [DOUBLING] = { .name = "doubling", .run = allreduce_doubling },
    [MULTIPLYING] = { .name = "multiplying", .run = allreduce_multiplying },
    [HALVING] = { .name = "halving", .run = allreduce_halving, .fits = coll_has_blocks },
    [CIRCULANT] = { .name = "circulant", .run = allreduce_circulant, .fits = has_commuting_blocks },
    [RING] = { .name = "ring", .run = allreduce_ring, .fits = has_commuting_blocks },
    [TREE] = { .name = "tree", .run = allreduce_tree },
    [LINEAR] = { .name = "linear", .run = allreduce_linear },
    [NODES] = { .name = "nodes", .run = allreduce_nodes, .fits = coll_reduces_in_phases },
    [SHARED] = { .name = "shared", .run = allreduce_shared, .fits = shared_reduces },
    [DIRECT] = { .name = "direct", .run = allreduce_direct, .fits = shared_reduces },
    { .name = NULL },
};

/* Where processes wait for cores, few waits and few copies count for more than parallel work. */
static const struct coll_algorithm *choose_oversubscribed(size_t len)
{
    return len < OVERSUBSCRIBED_SMALL ? &table[LINEAR] : &table[TREE];
}

/* The algorithm in shared memory that is best; NULL when messages are better. With two processes
 * messages are faster, because sender and receiver both copy. Where processes wait for cores,
 * none should wait for the one that copies. */
static const struct coll_algorithm *choose_shared(const struct coll *x)
{
    size_t len = coll_size(x->recv);

    if (!shared_reduces(x))
        return NULL;
    if (len < SHARED_SMALL || (x->comm->oversubscribed && !shared_few_copy(x, len)))
        return &table[SHARED];
    return x->size == 2 ? NULL : &table[DIRECT];
}

/* One process on each node. */
static void alone_costs(const struct coll *x, const struct cost_place *at, uint64_t *cost)
{
    const uint64_t p = at->p, len = coll_size(x->recv), work = cost_work(len), far = cost_far(len);
    const unsigned levels = cost_log2(p);
    const bool folds = !cost_power_of_two(p);
    const uint64_t sent = len - (len >> levels), block = len / p;

    cost[DOUBLING] = levels * (far + work) + (folds ? 2 * (far + work) : 0) + work;
    cost[MULTIPLYING] = levels / 2 * (far + 2 * cost_next(len) + 3 * work)
                        + levels % 2 * (far + work) + (folds ? 2 * far + work : 0) + 2 * work;
    cost[LINEAR] =
        cost_star(p, far + work, cost_next_combined(len)) + cost_star(p, far, cost_next(len));
    if (x->recv.count < p)
        return;
    cost[HALVING] = 2 * levels * cost_far(0) + 2 * cost_bytes(sent) + cost_work(sent)
                    + (folds ? 2 * far + work : work * 2 / 3);
    cost[CIRCULANT] = 2 * cost_rounds(p) * cost_far(0) + 2 * cost_bytes(len) + 3 * work;
    cost[RING] = 2 * (p - 1) * cost_far(block) + (p - 1) * cost_work(block);
}

/* Where ranks follow each other from node to node. */
static void flat_costs(const struct coll *x, const struct cost_place *at, uint64_t *cost)
{
    const uint64_t len = coll_size(x->recv), near = cost_near(len), work = cost_work(len);
    const uint64_t on_node = len - len / at->each, between = len - len / at->nodes;
    const uint64_t block = len / at->p, power = 1ull << cost_log2(at->p);
    const uint64_t active = at->each * power / at->p; /* of a node, in pairs and groups of four */
    const uint64_t next = cost_larger(2 * COST_OVERHEAD, 3 * active * (COST_GAP + cost_bytes(len)));
    const unsigned inner = cost_rounds(active), levels = cost_log2(power);
    /* Of halving: where nodes have no power of two, pairs cross them in all rounds. */
    const unsigned far_rounds = cost_power_of_two(at->each) ? cost_rounds(at->nodes) : levels;
    const bool folds = power < at->p;

    if (at->each >= COST_CROWD && cost_power_of_two(at->each) && !folds)
        cost[DOUBLING] =
            cost_rounds(at->nodes)
                * (cost_far(len) + work + (at->each - 1) * (COST_GAP + cost_bytes(len)))
            + cost_rounds(at->each) * (near + work) + work;
    if (cost_power_of_two(at->each))
        cost[MULTIPLYING] = (levels / 2 - inner / 2) * (cost_far(len) + next + 3 * work)
                            + levels % 2 * (cost_far(len) + work) + inner / 2 * 3 * (near + work)
                            + (folds ? 2 * near + work : 0);
    cost[HALVING] = 2 * far_rounds * cost_far(0) + 2 * cost_bytes(between)
                    + cost_work(between / at->each) + 2 * cost_rounds(at->each) * COST_NEAR
                    + 2 * cost_copy(on_node) + cost_work(on_node) + (folds ? 2 * near + work : 0);
    cost[RING] =
        2 * cost_ring(at, cost_far(block), cost_near(block)) + (at->p - 1) * cost_work(block);
}

/* NULL: where ranks are mixed among nodes and the order of operands counts. */
static const struct coll_algorithm *choose_between(const struct coll *x)
{
    const size_t len = coll_size(x->recv);
    const struct cost_place all = cost_place_of(x), leaders = cost_leaders(&all);
    uint64_t cost[ROWS] = { 0 };

    alone_costs(x, &leaders, cost);
    if (all.each > 1) {
        uint64_t flat[ROWS] = { [NODES] = cost_least(cost, ROWS) + cost_reduce_phase(x, &all, len)
                                          + cost_bcast_phase(x, &all, len) };
        if (all.in_order)
            flat_costs(x, &all, flat);
        return cost_choose(x, table, flat, ROWS);
    }
    return cost_choose(x, table, cost, ROWS);
}

static const struct coll_algorithm *allreduce_choose(const struct coll *x)
{
    size_t len = coll_size(x->recv);

    const struct coll_algorithm *shared =
        coll_between_nodes(x) ? choose_between(x) : choose_shared(x);

    if (shared)
        return shared;
    if (coll_oversubscribed(x) && len < OVERSUBSCRIBED_LARGE)
        return choose_oversubscribed(len);
    if (len < (x->size > 2 ? LARGE : LARGE_FOR_TWO) || !coll_has_blocks(x))
        return &table[DOUBLING];
    if (!has_commuting_blocks(x))
        return &table[HALVING];
    if (len / (size_t) x->size > LARGE_BLOCK)
        return &table[RING];
    return coll_power_of_two(x) || coll_oversubscribed(x) ? &table[HALVING] : &table[CIRCULANT];
}

struct coll_operation coll_allreduce = { .kind = COLL_ALLREDUCE,
                                         .resolve = coll_reduction_arg,
                                         .table = table,
                                         .choose = allreduce_choose,
                                         .offload = coll_offload_allreduce,
                                         .inter = allreduce_inter };

/* Combines the elements of all processes of comm and puts the result in recvbuf of each
 * (§5.3.7). The result has the same bits in all processes.
 * Errors: MPI_ERR_COMM, MPI_ERR_BUFFER, MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_OP,
 * MPI_ERR_TRUNCATE. */
#define PARAMETERS(Count, Displ)                                                                   \
    const void *sendbuf, void *recvbuf, Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm
#define ARGUMENTS sendbuf, recvbuf, count, datatype, op, comm
#define COLL_ARGS                                                                                  \
    .sendbuf = sendbuf, .recvbuf = recvbuf, .recvcount = count, .recvtype = datatype, .op = op,    \
    .comm = comm
COLL_DOORS(coll_allreduce, Allreduce, Iallreduce, Allreduce_init);
