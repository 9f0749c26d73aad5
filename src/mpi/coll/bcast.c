#include "mpi/coll/coll_doors.h"
#include "mpi/coll/algo/cost.h"
#include "mpi/coll/algo/shared.h"
#include "mpi/coll/nodes.h"

enum { SHARED_SMALL = 8 << 10, LARGE = 512 << 10, MANY = 16 }; /* bytes; processes */

enum {
    BINOMIAL,
    KNOMIAL,
    SCATTER_RING,
    SCATTER_DOUBLING,
    CHAIN,
    TREE,
    LINEAR,
    NODES,
    SHARED,
    DIRECT,
    ROWS = DIRECT + 1
};
static const struct coll_algorithm table[] = {
    [BINOMIAL] = { .name = "binomial", .run = bcast_binomial },
    [KNOMIAL] = { .name = "knomial", .run = bcast_knomial },
    [SCATTER_RING] = { .name = "scatter_ring", .run = bcast_scatter_ring },
    [SCATTER_DOUBLING] = { .name = "scatter_doubling",
                           .run = bcast_scatter_doubling,
                           .fits = coll_power_of_two },
    [CHAIN] = { .name = "chain", .run = bcast_chain },
    [TREE] = { .name = "tree", .run = bcast_tree },
    [LINEAR] = { .name = "linear", .run = bcast_linear },
    [NODES] = { .name = "nodes", .run = bcast_nodes, .fits = coll_in_phases },
    [SHARED] = { .name = "shared", .run = bcast_shared, .fits = shared_fits },
    [DIRECT] = { .name = "direct", .run = bcast_direct, .fits = shared_fits },
    { .name = NULL },
};

/* The algorithm in shared memory that is best; NULL when messages are better. With two processes
 * messages are faster, because sender and receiver both copy. Where processes wait for cores,
 * shared memory is best at any length: none waits for the one that copies. */
static const struct coll_algorithm *choose_shared(const struct coll *x)
{
    size_t len = coll_size(x->recv);

    if (!shared_fits(x))
        return NULL;
    if (len < SHARED_SMALL || x->comm->oversubscribed)
        return &table[SHARED];
    return x->size == 2 ? NULL : &table[DIRECT];
}

/* Chunks behind the first one. */
static uint64_t more_chunks(size_t len) { return len > 0 ? (len - 1) / BCAST_CHUNK : 0; }

/* A binary tree, filled level by level: the last of a level that is full has been served second in
 * each level, one below it may have been so in all but its first. */
static uint64_t cost_tree_of_two(uint64_t p, uint64_t message, uint64_t next)
{
    const unsigned levels = cost_log2(p), full = cost_log2(p + 1) - 1;
    const unsigned second = p + 1 >= 3ull << levels >> 1 ? levels - 1 : (levels > 1) * (levels - 2);

    return cost_larger(full * (message + next), levels * message + second * next);
}

/* One process on each node. */
static void alone_costs(const struct cost_place *at, size_t len, uint64_t *cost)
{
    const uint64_t p = at->p, far = cost_far(len), next = cost_next(len);
    const uint64_t chunk = len < BCAST_CHUNK ? len : BCAST_CHUNK, more = more_chunks(len);
    const unsigned rounds = cost_rounds(p);

    cost[LINEAR] = cost_star(p, far, next);
    cost[BINOMIAL] = cost_tree(p, 2, far, next);
    cost[KNOMIAL] = cost_tree(p, 4, far, next);
    if (cost_power_of_two(p))
        cost[SCATTER_DOUBLING] = rounds * (2 * cost_far(0) + COST_OVERHEAD) + 2 * cost_bytes(len);
    cost[TREE] =
        cost_tree_of_two(p, cost_far(chunk), cost_next(chunk)) + more * 2 * cost_next(chunk);
}

/* Where the data passes all ranks in their order. */
static void lap_costs(const struct cost_place *at, size_t len, uint64_t *cost)
{
    const uint64_t block = len / at->p, chunk = len < BCAST_CHUNK ? len : BCAST_CHUNK;
    const uint64_t more = more_chunks(len), near = at->each > 1 ? COST_NEAR : 0;
    const uint64_t next =
        cost_larger(cost_next(chunk), near ? cost_near(chunk) : 2 * COST_OVERHEAD);

    cost[SCATTER_RING] =
        cost_rounds(at->nodes) * cost_far(0) + cost_bytes(len) + cost_rounds(at->each) * near
        + (near ? cost_copy(len / at->nodes) : 0)
        + cost_lap(at, cost_far(block) + COST_OVERHEAD, cost_near(block) + COST_NEAR / 3);
    cost[CHAIN] = cost_lap(at, cost_far(chunk), cost_near(chunk)) + more * next;
}

/* Where the root is not the first of its node, no subtree has the ranks of a node. */
static void tree_costs(const struct coll *x, const struct cost_place *at, uint64_t *cost)
{
    const size_t len = coll_size(x->recv);
    const struct cost_messages messages = { cost_far(len), cost_next(len), cost_near(len),
                                            COST_NEAR / 3 + cost_copy(len) };

    if (at->each < COST_CROWD || (uint64_t) x->root % at->each != 0)
        return;
    cost[BINOMIAL] = cost_subtrees(at, 2, &messages);
    cost[KNOMIAL] = cost_subtrees(at, 4, &messages);
}

uint64_t cost_bcast_phase(const struct coll *x, const struct cost_place *at, size_t len)
{
    const struct cost_place node = { at->each, at->each, 1, true };

    if (!x->sched && len < SHARED_SMALL)
        return cost_flags(at->each) + 2 * cost_work(len);
    if (!x->sched && at->each > 2)
        return cost_flags(at->each) + cost_work(len);
    if (len < LARGE || at->each <= 2)
        return cost_rounds(at->each) * cost_near(len);
    if (len >= (size_t) at->each * BCAST_CHUNK)
        return (at->each - 2 + len / BCAST_CHUNK) * cost_near(BCAST_CHUNK);
    if (at->each < MANY)
        return cost_rounds(at->each) * cost_near(len);
    return cost_copy(len) + cost_lap(&node, cost_near(len / at->each), 0);
}

static const struct coll_algorithm *choose_between(const struct coll *x)
{
    const size_t len = coll_size(x->recv);
    const struct cost_place all = cost_place_of(x), leaders = cost_leaders(&all);
    uint64_t cost[ROWS] = { 0 };

    alone_costs(&leaders, len, cost);
    lap_costs(&leaders, len, cost);
    if (all.each > 1) {
        uint64_t flat[ROWS] = { [NODES] = cost_least(cost, ROWS) + cost_bcast_phase(x, &all, len) };
        if (all.in_order) {
            lap_costs(&all, len, flat);
            tree_costs(x, &all, flat);
        }
        return cost_choose(x, table, flat, ROWS);
    }
    return cost_choose(x, table, cost, ROWS);
}

static const struct coll_algorithm *bcast_choose(const struct coll *x)
{
    size_t len = coll_size(x->recv);

    if (coll_between_nodes(x))
        return choose_between(x);
    const struct coll_algorithm *shared = choose_shared(x);

    if (shared)
        return shared;
    if (x->comm->oversubscribed) /* few rounds: each may be a wait for a core */
        return &table[KNOMIAL];
    if (len < LARGE || x->size <= 2)
        return &table[BINOMIAL];
    if (len >= (size_t) x->size * BCAST_CHUNK) /* more chunks than processes */
        return &table[CHAIN];
    return x->size < MANY ? &table[BINOMIAL] : &table[SCATTER_RING];
}

static int bcast_resolve(struct coll *x, const struct coll_args *a)
{
    int err = MPI_SUCCESS;

    x->root = a->root;
    if (!coll_is_idle(x))
        err = mpir_data_arg(a->recvbuf, a->recvcount, a->recvtype, &x->recv);
    if (!err)
        err = mpir_root_arg(x->comm, a->root);
    return err;
}

static bool bcast_offload(const struct coll *x, struct adi3_offload *m)
{
    *m = (struct adi3_offload) { .len = coll_size(x->recv), .root = x->root };
    *(x->rank == x->root ? &m->out : &m->in) = x->recv;
    return true;
}

struct coll_operation coll_bcast = { .kind = COLL_BCAST,
                                     .resolve = bcast_resolve,
                                     .table = table,
                                     .choose = bcast_choose,
                                     .offload = bcast_offload,
                                     .inter = bcast_inter };

/* Copies root's buffer to the buffers of all processes of comm (§5.3.2).
 * Errors: MPI_ERR_COMM, MPI_ERR_BUFFER, MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_ROOT,
 * MPI_ERR_TRUNCATE. */
#define PARAMETERS(Count, Displ)                                                                   \
    void *buffer, Count count, MPI_Datatype datatype, int root, MPI_Comm comm
#define ARGUMENTS buffer, count, datatype, root, comm
#define COLL_ARGS                                                                                  \
    .recvbuf = buffer, .recvcount = count, .recvtype = datatype, .root = root, .comm = comm
COLL_DOORS(coll_bcast, Bcast, Ibcast, Bcast_init);
