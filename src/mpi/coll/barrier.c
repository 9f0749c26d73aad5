#include "mpi/coll/coll_doors.h"
#include "mpi/coll/algo/cost.h"
#include "mpi/coll/algo/shared.h"
#include "mpi/coll/nodes.h"

enum { DISSEMINATION, DOUBLING, TREE, LINEAR, NODES, SHARED };
static const struct coll_algorithm table[] = {
    [DISSEMINATION] = { .name = "dissemination", .run = barrier_dissemination },
    [DOUBLING] = { .name = "doubling", .run = barrier_doubling },
    [TREE] = { .name = "tree", .run = barrier_tree },
    [LINEAR] = { .name = "linear", .run = barrier_linear },
    [NODES] = { .name = "nodes", .run = barrier_nodes, .fits = coll_in_phases },
    [SHARED] = { .name = "shared", .run = barrier_shared, .fits = shared_fits },
    { .name = NULL },
};

/* On few nodes of many processes a message of each process, all through one adapter, can take less
 * than to gather and release a node. */
static const struct coll_algorithm *choose_between(const struct coll *x)
{
    const struct cost_place all = cost_place_of(x);
    const uint64_t rounds = cost_rounds(all.nodes), within = cost_rounds(all.each);
    const uint64_t nodes = 2 * cost_bcast_phase(x, &all, 0) + rounds * cost_far(0);
    const uint64_t flat =
        rounds * (cost_far(0) + (all.each - 1) * COST_GAP) + within * cost_near(0);
    const bool even = all.in_order && all.p == 1ull << (rounds + within);

    return &table[all.each >= COST_CROWD && even && flat < nodes ? DOUBLING : NODES];
}

static const struct coll_algorithm *barrier_choose(const struct coll *x)
{
    if (coll_in_phases(x))
        return choose_between(x);
    if (shared_fits(x))
        return &table[SHARED];
    return coll_oversubscribed(x) ? &table[LINEAR] : &table[DISSEMINATION];
}

static bool barrier_offload(const struct coll *x, struct adi3_offload *m)
{
    (void) x;
    *m = (struct adi3_offload) { 0 };
    return true;
}

struct coll_operation coll_barrier = { .kind = COLL_BARRIER,
                                       .table = table,
                                       .choose = barrier_choose,
                                       .offload = barrier_offload,
                                       .inter = barrier_inter };

/* The fence of a window is a barrier with a signature of its own. */
static const struct coll_algorithm *choose_fence(const struct coll *x)
{
    return coll_choose(&coll_barrier, x);
}

struct coll_operation coll_win_fence = { .kind = COLL_WIN_FENCE,
                                         .table = table,
                                         .choose = choose_fence };

/* Returns when all processes of comm have called it (§5.3.1). Errors: MPI_ERR_COMM. */
#define PARAMETERS(Count, Displ) MPI_Comm comm
#define ARGUMENTS                comm
#define COLL_ARGS                .comm = comm
COLL_DOORS(coll_barrier, Barrier, Ibarrier, Barrier_init);
