#include "mpi/coll/coll_doors.h"
#include "mpi/coll/algo/cost.h"
#include "mpi/coll/algo/shared.h"
#include "mpi/coll/nodes.h"

enum { SHARED_SMALL = 8 << 10, SHARED_LARGE = 512 << 10 };              /* bytes */
enum { LARGE = 128 << 10, OVERSUBSCRIBED_LARGE = 256 << 10, MANY = 8 }; /* bytes; processes */

enum { BINOMIAL, KNOMIAL, HALVING, CHAIN, LINEAR, NODES, SHARED, DIRECT, ROWS };
static const struct coll_algorithm table[] = {
    [BINOMIAL] = { .name = "binomial", .run = reduce_binomial },
    [KNOMIAL] = { .name = "knomial", .run = reduce_knomial },
    [HALVING] = { .name = "halving", .run = reduce_halving, .fits = coll_has_blocks },
    [CHAIN] = { .name = "chain", .run = reduce_chain },
    [LINEAR] = { .name = "linear", .run = reduce_linear },
    [NODES] = { .name = "nodes", .run = reduce_nodes, .fits = coll_reduces_in_phases },
    [SHARED] = { .name = "shared", .run = reduce_shared, .fits = shared_reduces },
    [DIRECT] = { .name = "direct", .run = reduce_direct, .fits = shared_reduces },
    { .name = NULL },
};

/* The algorithm in shared memory that is best; NULL when messages are better. With two processes
 * messages are faster, because sender and receiver both copy. Where processes wait for cores,
 * few barriers count most, until far cores would pass large data twice. */
static const struct coll_algorithm *choose_shared(const struct coll *x)
{
    size_t len = coll_size(x->recv);

    if (!shared_reduces(x))
        return NULL;
    if (len < SHARED_SMALL)
        return &table[SHARED];
    if (x->comm->oversubscribed)
        return &table[x->size == 2 || len < OVERSUBSCRIBED_LARGE ? SHARED : DIRECT];
    return x->size > 2 && len >= SHARED_LARGE ? &table[DIRECT] : NULL;
}

/* A chain, with a row of messages over each link. */
static uint64_t chain_cost(const struct cost_place *at, size_t len)
{
    const uint64_t chunk = len < REDUCE_CHUNK ? len : REDUCE_CHUNK, work = cost_work(chunk);
    const uint64_t next = cost_larger(COST_GAP + cost_bytes(chunk), 2 * COST_OVERHEAD + work);

    return cost_lap(at, cost_far(chunk) + work, cost_near(chunk) + work)
           + (len > 0 ? (len - 1) / REDUCE_CHUNK : 0)
                 * (at->each > 1 ? cost_near(chunk) + work : next);
}

/* One process on each node. */
static void alone_costs(const struct coll *x, const struct cost_place *at, uint64_t *cost)
{
    const size_t len = coll_size(x->recv);
    const uint64_t far = cost_far(len) + cost_work(len), next = cost_next_combined(len);
    const uint64_t sent = len - len / (1ull << cost_log2(at->p));

    cost[LINEAR] = cost_star(at->p, far, next);
    cost[BINOMIAL] = cost_tree(at->p, 2, far, next);
    cost[KNOMIAL] = cost_tree(at->p, 4, far, next);
    cost[CHAIN] = chain_cost(at, len);
    if (x->recv.count >= at->p)
        cost[HALVING] = 2 * cost_log2(at->p) * cost_far(0) + 2 * cost_bytes(sent) + cost_work(sent)
                        + (cost_power_of_two(at->p) ? cost_work(len / 2) : far);
}

static uint64_t knomial_cost(const struct cost_place *at, size_t len)
{
    const uint64_t work = cost_work(len);
    const struct cost_messages messages = { .far = cost_far(len) + work,
                                            .next = cost_next_combined(len),
                                            .near = cost_near(len) + work,
                                            .near_next = COST_NEAR / 3 + work };

    return cost_subtrees(at, 4, &messages);
}

/* Where ranks follow each other from node to node. */
static void flat_costs(const struct coll *x, const struct cost_place *at, uint64_t *cost)
{
    const size_t len = coll_size(x->recv);
    const uint64_t on_node = len - len / at->each, between = len - len / at->nodes;

    if ((uint64_t) x->root % at->each == 0) /* else no subtree has the ranks of a node */
        cost[KNOMIAL] = knomial_cost(at, len);
    cost[CHAIN] = chain_cost(at, len);
    cost[HALVING] = 2 * cost_rounds(at->nodes) * cost_far(0) + 2 * cost_bytes(between)
                    + cost_work(between / at->each) + 2 * cost_rounds(at->each) * COST_NEAR
                    + 2 * cost_copy(on_node) + cost_work(on_node)
                    + (cost_power_of_two(at->p) ? 0 : cost_near(len) + cost_work(len));
}

uint64_t cost_reduce_phase(const struct coll *x, const struct cost_place *at, size_t len)
{
    const unsigned rounds = cost_rounds(at->each);
    const bool shared = !x->sched && x->recv.type->predefined && x->recv.type->contig;

    if (shared && len < SHARED_SMALL)
        return cost_flags(at->each) + (at->each + 1) * cost_work(len);
    if (shared && at->each > 2 && len >= SHARED_LARGE)
        return 6 * cost_flags(at->each) + 3 * cost_work(len);
    if (len < LARGE || at->each < MANY)
        return rounds * (cost_near(len) + cost_work(len));
    return 2 * (rounds * COST_NEAR + cost_copy(len)) + cost_work(len)
           + (cost_power_of_two(at->each) ? cost_work(len) / 2 : cost_near(len) + cost_work(len));
}

/* NULL: where ranks are mixed among nodes and the order of operands counts. */
static const struct coll_algorithm *choose_between(const struct coll *x)
{
    const size_t len = coll_size(x->recv);
    const struct cost_place all = cost_place_of(x), leaders = cost_leaders(&all);
    uint64_t cost[ROWS] = { 0 };

    alone_costs(x, &leaders, cost);
    if (all.each > 1) {
        cost[CHAIN] += cost_work(len); /* what a node has combined is copied once more */
        uint64_t flat[ROWS] = { [NODES] =
                                    cost_least(cost, ROWS) + cost_reduce_phase(x, &all, len) };
        if (all.in_order)
            flat_costs(x, &all, flat);
        return cost_choose(x, table, flat, ROWS);
    }
    return cost_choose(x, table, cost, ROWS);
}

static const struct coll_algorithm *reduce_choose(const struct coll *x)
{
    const struct coll_algorithm *shared =
        coll_between_nodes(x) ? choose_between(x) : choose_shared(x);

    if (shared)
        return shared;
    return coll_size(x->recv) < LARGE || x->size < MANY || !coll_has_blocks(x) ? &table[BINOMIAL]
                                                                               : &table[HALVING];
}

/* Only the root has a receive buffer, and only the root may use MPI_IN_PLACE. Between two groups
 * the root has no send buffer. */
static int reduce_operands(struct coll *x, const struct coll_args *a)
{
    bool root = coll_is_root(x);

    if (root && !x->comm->remote)
        return coll_operands_arg(x, a);
    int err = mpir_data_arg(root ? a->recvbuf : a->sendbuf, a->recvcount, a->recvtype, &x->send);
    x->recv = x->send;
    if (!root)
        x->recv.buf = NULL;
    return err;
}

static int reduce_resolve(struct coll *x, const struct coll_args *a)
{
    int err = mpir_root_arg(x->comm, a->root);

    x->root = a->root;
    if (err || coll_is_idle(x))
        return err;
    err = reduce_operands(x, a);
    if (!err)
        err = coll_op_arg(x, a->op);
    return err;
}

struct coll_operation coll_reduce = { .kind = COLL_REDUCE,
                                      .resolve = reduce_resolve,
                                      .table = table,
                                      .choose = reduce_choose,
                                      .offload = coll_offload_reduce,
                                      .inter = reduce_inter };

/* Combines the elements of all processes of comm into recvbuf at root (§5.3.7).
 * Errors: MPI_ERR_COMM, MPI_ERR_ROOT, MPI_ERR_BUFFER, MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_OP,
 * MPI_ERR_TRUNCATE. */
#define PARAMETERS(Count, Displ)                                                                   \
    const void *sendbuf, void *recvbuf, Count count, MPI_Datatype datatype, MPI_Op op, int root,   \
        MPI_Comm comm
#define ARGUMENTS sendbuf, recvbuf, count, datatype, op, root, comm
#define COLL_ARGS                                                                                  \
    .sendbuf = sendbuf, .recvbuf = recvbuf, .recvcount = count, .recvtype = datatype, .op = op,    \
    .root = root, .comm = comm
COLL_DOORS(coll_reduce, Reduce, Ireduce, Reduce_init);
