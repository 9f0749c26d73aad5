#include "mpi/coll/coll_doors.h"
#include "mpi/coll/algo/cost.h"
#include "mpi/coll/algo/shared.h"
#include "mpi/coll/nodes.h"

enum { TINY = 256, MANY = 24, SMALL = 1 << 10, LARGE = 1 << 20 }; /* bytes of a block; processes */
/* bytes of all blocks of a process, on nodes of more than two and of two: gather.c, scatter.c */
enum { PHASE_SHARED = 8 << 10, PHASE_OF_TWO = 128 << 10 };

static bool in_place(const struct coll *x) { return x->in_place; }
static bool is_out_of_place(const struct coll *x) { return !x->in_place; }

enum { BRUCK, SPREAD, SCATTERED, PAIRWISE, SWAP, NODES, SHARED, DIRECT, ROWS };
static const struct coll_algorithm table[] = {
    [BRUCK] = { .name = "bruck", .run = alltoall_bruck },
    [SPREAD] = { .name = "spread", .run = alltoall_spread, .fits = is_out_of_place },
    [SCATTERED] = { .name = "scattered", .run = alltoall_scattered, .fits = is_out_of_place },
    [PAIRWISE] = { .name = "pairwise", .run = alltoall_pairwise, .fits = is_out_of_place },
    [SWAP] = { .name = "swap", .run = alltoall_swap, .fits = in_place },
    [NODES] = { .name = "nodes", .run = alltoall_nodes, .fits = coll_in_phases },
    [SHARED] = { .name = "shared", .run = alltoall_shared, .fits = shared_fits },
    [DIRECT] = { .name = "direct", .run = alltoall_direct, .fits = shared_fits },
    { .name = NULL },
};

/* The algorithm in shared memory that is best; NULL when messages are better. */
static const struct coll_algorithm *choose_shared(const struct coll *x)
{
    size_t len = coll_size(x->recv) * (size_t) x->size;

    if (!shared_fits(x))
        return NULL;
    return shared_fits_chunk(x, len) ? &table[SHARED] : &table[DIRECT];
}

/* Of large blocks, few are under way at a time. */
static const struct coll_algorithm *choose_between(const struct coll *x)
{
    const struct cost_place at = cost_place_of(x);
    const uint64_t block = coll_size(x->recv), all = at.p * block, others = at.p - at.each;
    const uint64_t adapter = at.each * (COST_GAP + cost_bytes(block));
    const uint64_t to_node = at.each * at.each * block, of_node = at.each * all;
    const unsigned rounds = cost_rounds(at.p);
    uint64_t cost[ROWS] = { 0 };

    if (x->in_place && (at.each == 1 || block >= SMALL))
        return &table[block < SMALL ? BRUCK : SWAP];
    cost[BRUCK] =
        rounds * cost_far(0) + rounds * cost_bytes(of_node / 2) + cost_work((rounds + 2) * all);
    if (at.each > 1 && at.in_order) /* most rounds on nodes are near */
        cost[BRUCK] = cost_rounds(at.nodes) * (cost_far(0) + cost_bytes(of_node / 2))
                      + cost_rounds(at.each) * 4 * COST_OVERHEAD + cost_work((rounds + 2) * all);
    cost[block < LARGE ? SPREAD : SCATTERED] =
        cost_far(block) + (others - 1) * cost_larger(2 * COST_OVERHEAD, adapter);
    cost[NODES] = 2 * (cost_flags(at.each) + cost_copy(all)) + 2 * cost_copy(of_node) / at.each
                  + 2 * cost_work(of_node)
                  + cost_star(at.nodes, cost_far(to_node), 2 * cost_next(to_node));
    /* The leader copies what the others have written. */
    if (!x->sched && all < (at.each == 2 ? PHASE_OF_TWO : PHASE_SHARED))
        cost[NODES] += 2 * cost_work(of_node);
    return cost_choose(x, table, cost, ROWS);
}

static const struct coll_algorithm *alltoall_choose(const struct coll *x)
{
    size_t block = coll_size(x->recv);

    if (coll_between_nodes(x))
        return choose_between(x);
    const struct coll_algorithm *shared = choose_shared(x);

    if (shared)
        return shared;
    if (x->in_place)
        return block < SMALL ? &table[BRUCK] : &table[SWAP];
    if (block < TINY && x->size >= MANY)
        return &table[BRUCK];
    return block < LARGE ? &table[SPREAD] : &table[PAIRWISE];
}

static int alltoall_resolve(struct coll *x, const struct coll_args *a)
{
    int err = mpir_data_arg(a->recvbuf, a->recvcount, a->recvtype, &x->recv);

    if (err)
        return err;
    if (x->comm->remote)
        return coll_send_arg(x, a, NULL);
    x->in_place = a->sendbuf == MPI_IN_PLACE;
    return coll_send_arg(x, a, &x->recv);
}

struct coll_operation coll_alltoall = { .kind = COLL_ALLTOALL,
                                        .resolve = alltoall_resolve,
                                        .table = table,
                                        .choose = alltoall_choose,
                                        .inter = alltoall_inter };

/* Sends block j of sendbuf to process j, and receives a block from each process (§5.3.6).
 * Errors: MPI_ERR_COMM, MPI_ERR_BUFFER, MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_TRUNCATE. */
#define PARAMETERS(Count, Displ)                                                                   \
    const void *sendbuf, Count sendcount, MPI_Datatype sendtype, void *recvbuf, Count recvcount,   \
        MPI_Datatype recvtype, MPI_Comm comm
#define ARGUMENTS sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm
#define COLL_ARGS                                                                                  \
    .sendbuf = sendbuf, .sendcount = sendcount, .sendtype = sendtype, .recvbuf = recvbuf,          \
    .recvcount = recvcount, .recvtype = recvtype, .comm = comm
COLL_DOORS(coll_alltoall, Alltoall, Ialltoall, Alltoall_init);
