#include "mpi/coll/coll_doors.h"
#include "mpi/coll/reduce_scatter.h"
#include "mpi/coll/algo/cost.h"
#include "mpi/coll/algo/shared.h"
#include "mpi/coll/nodes.h"

enum { SHARED_SMALL = 16 << 10 }; /* bytes of all blocks */
enum { LARGE = 64 << 10, OVERSUBSCRIBED_SMALL = 256 << 10 };

static bool op_commutes(const struct coll *x) { return x->op->commutes; }

enum { HALVING, CIRCULANT, PAIRWISE, RING, LINEAR, SHARED, DIRECT, ROWS };
const struct coll_algorithm reduce_scatter_table[] = {
    [HALVING] = { .name = "halving", .run = reduce_scatter_halving },
    [CIRCULANT] = { .name = "circulant", .run = reduce_scatter_circulant, .fits = op_commutes },
    [PAIRWISE] = { .name = "pairwise", .run = reduce_scatter_pairwise },
    [RING] = { .name = "ring", .run = reduce_scatter_ring, .fits = op_commutes },
    [LINEAR] = { .name = "linear", .run = reduce_scatter_linear },
    [SHARED] = { .name = "shared", .run = reduce_scatter_shared, .fits = shared_reduces },
    [DIRECT] = { .name = "direct", .run = reduce_scatter_direct, .fits = shared_reduces },
    { .name = NULL },
};

/* The algorithm in shared memory that is best; NULL when messages are better. With two processes
 * and data that is not small messages are faster, because sender and receiver both copy. Where
 * processes wait for cores, none should wait for the one that copies. */
static const struct coll_algorithm *choose_shared(const struct coll *x)
{
    size_t len = coll_size(x->send);

    if (!shared_reduces(x))
        return NULL;
    if (len < SHARED_SMALL || x->comm->oversubscribed)
        return &reduce_scatter_table[SHARED];
    return x->size == 2 ? NULL : &reduce_scatter_table[DIRECT];
}

static const struct coll_algorithm *choose_between(const struct coll *x)
{
    const struct cost_place at = cost_place_of(x);
    const uint64_t all = coll_size(x->send), block = all / at.p, work = cost_work(all);
    const uint64_t adapter = at.each * cost_bytes(all - all / at.nodes);
    const unsigned inner = cost_rounds(at.each);
    /* In a round on nodes, ranks at their ends send to the next node where pairs cross these. */
    const uint64_t crosses = inner * 4 * COST_OVERHEAD;
    const uint64_t on_node = cost_power_of_two(at.each) ? inner * COST_NEAR : crosses;
    const uint64_t once = adapter + work, far = cost_far(block) + cost_work(block);
    uint64_t cost[ROWS] = { 0 };

    cost[HALVING] = cost_rounds(at.nodes) * cost_far(0) + once + on_node;
    if (!cost_power_of_two(at.p))
        cost[HALVING] += work + (at.each > 1 ? cost_near(all) : cost_far(all) + cost_far(block));
    cost[CIRCULANT] = cost_rounds(at.nodes) * cost_far(0) + crosses + once + work;
    cost[PAIRWISE] = (at.p - 1) * far + (at.each > 1 ? adapter : 0);
    if (at.each > 1 && at.in_order)
        cost[RING] = cost_ring(&at, far, cost_near(block) + cost_work(block) + COST_NEAR / 3);
    return cost_choose(x, reduce_scatter_table, cost, ROWS);
}

const struct coll_algorithm *reduce_scatter_choose(const struct coll *x)
{
    size_t len = coll_size(x->send);
    const struct coll_algorithm *shared =
        coll_between_nodes(x) ? choose_between(x) : choose_shared(x);

    if (shared)
        return shared;
    if (coll_oversubscribed(x) && len < OVERSUBSCRIBED_SMALL)
        return &reduce_scatter_table[LINEAR];
    if (len >= LARGE)
        return &reduce_scatter_table[PAIRWISE];
    return &reduce_scatter_table[op_commutes(x) && coll_power(x->size) < x->size ? CIRCULANT
                                                                                 : HALVING];
}

int reduce_scatter_resolve(struct coll *x, const struct coll_args *a, MPI_Count ours, MPI_Count all)
{
    bool in_place = a->sendbuf == MPI_IN_PLACE && !x->comm->remote;
    int err = mpir_data_arg(a->recvbuf, ours, a->recvtype, &x->recv);

    if (!err)
        err = mpir_data_arg(in_place ? a->recvbuf : a->sendbuf, all, a->recvtype, &x->send);
    if (!err && !in_place)
        err = coll_no_alias_arg(x->send, x->recv);
    if (!err)
        err = coll_op_arg(x, a->op);
    return err;
}

/* Adds up the counts of all blocks. */
static int recvcounts_resolve(struct coll *x, const struct coll_args *a)
{
    int err = mpir_counts_arg(&a->recvcounts, x->size, "recvcounts");
    MPI_Count all = 0;

    if (err)
        return err;
    for (int i = 0; i < x->size; i++) {
        MPI_Count count = mpir_count(&a->recvcounts, i);
        if (mpir_checking() && count < 0)
            return mpir_error(MPI_ERR_COUNT, "recvcounts[%d] is %lld", i, (long long) count);
        if (__builtin_add_overflow(all, count, &all))
            return mpir_error(MPI_ERR_COUNT, "recvcounts[0..%d] are too many elements", i);
    }
    x->recvcounts = a->recvcounts;
    return reduce_scatter_resolve(x, a, mpir_count(&a->recvcounts, x->rank), all);
}

struct coll_operation coll_reduce_scatter = { .kind = COLL_REDUCE_SCATTER,
                                              .resolve = recvcounts_resolve,
                                              .table = reduce_scatter_table,
                                              .choose = reduce_scatter_choose,
                                              .inter = reduce_scatter_inter };

/* Combines the elements of all processes of comm, and gives each process its part of the result:
 * recvcounts[i] elements to process i, in rank order (§5.3.8).
 * Errors: MPI_ERR_COMM, MPI_ERR_ARG, MPI_ERR_COUNT, MPI_ERR_BUFFER, MPI_ERR_TYPE, MPI_ERR_OP,
 * MPI_ERR_TRUNCATE. */
#define PARAMETERS(Count, Displ)                                                                   \
    const void *sendbuf, void *recvbuf, const Count recvcounts[], MPI_Datatype datatype,           \
        MPI_Op op, MPI_Comm comm
#define ARGUMENTS sendbuf, recvbuf, recvcounts, datatype, op, comm
#define COLL_ARGS                                                                                  \
    .sendbuf = sendbuf, .recvbuf = recvbuf, .recvcounts = MPIR_COUNTS(recvcounts),                 \
    .recvtype = datatype, .op = op, .comm = comm
COLL_DOORS(coll_reduce_scatter, Reduce_scatter, Ireduce_scatter, Reduce_scatter_init);
