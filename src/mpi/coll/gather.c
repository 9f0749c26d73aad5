#include "mpi/coll/coll_doors.h"
#include "mpi/coll/algo/cost.h"
#include "mpi/coll/algo/shared.h"
#include "mpi/coll/nodes.h"

enum { SHARED_SMALL = 8 << 10, SHARED_LARGE = 16 << 10, SHARED_FOR_TWO = 128 << 10 }; /* bytes */
enum { SMALL = 4 << 10, MANY = 32 }; /* bytes of a block; processes */
enum { DIRECT_LEAST = 32 << 10 };    /* bytes of a block */

enum { BINOMIAL, LINEAR, NODES, SHARED, DIRECT, ROWS };
static const struct coll_algorithm table[] = {
    [BINOMIAL] = { .name = "binomial", .run = gather_binomial },
    [LINEAR] = { .name = "linear", .run = gather_linear },
    [NODES] = { .name = "nodes", .run = gather_nodes, .fits = coll_in_phases },
    [SHARED] = { .name = "shared", .run = gather_shared, .fits = shared_fits },
    [DIRECT] = { .name = "direct", .run = gather_direct, .fits = shared_fits },
    { .name = NULL },
};

/* The algorithm in shared memory if that is best; NULL when messages are better. All blocks go
 * through the root's core. With two processes, and where processes wait for cores, it has nothing
 * better to do, but not where far cores would pass large blocks twice. */
static const struct coll_algorithm *choose_shared(const struct coll *x)
{
    size_t len = coll_size(x->rank == x->root ? x->recv : x->send);

    if (!shared_fits(x))
        return NULL;
    if (x->size == 2)
        return len <= SHARED_FOR_TWO ? &table[SHARED] : NULL;
    if (x->comm->oversubscribed ? len <= SHARED_LARGE
                                : len < SHARED_SMALL && shared_fits_chunk(x, len))
        return &table[SHARED];
    return len >= DIRECT_LEAST ? &table[DIRECT] : NULL;
}

static const struct coll_algorithm *choose_between(const struct coll *x)
{
    const struct cost_place at = cost_place_of(x);
    const size_t block = coll_size(x->send);
    const uint64_t cost[ROWS] = { [BINOMIAL] = cost_blocks_binomial(&at, block),
                                  [LINEAR] = cost_blocks_linear(&at, block),
                                  [NODES] = cost_blocks_nodes(x, &at, block) };

    return cost_choose(x, table, cost, ROWS);
}

static const struct coll_algorithm *gather_choose(const struct coll *x)
{
    if (coll_between_nodes(x))
        return choose_between(x);
    const struct coll_algorithm *shared = choose_shared(x);

    if (shared)
        return shared;
    return x->size >= MANY && coll_size(x->send) < SMALL ? &table[BINOMIAL] : &table[LINEAR];
}

static int gather_resolve(struct coll *x, const struct coll_args *a)
{
    struct adi3_data own;
    int err = mpir_root_arg(x->comm, a->root);

    x->root = a->root;
    if (err || coll_is_idle(x))
        return err;
    if (!coll_is_root(x))
        return coll_send_arg(x, a, NULL);
    err = mpir_data_arg(a->recvbuf, a->recvcount, a->recvtype, &x->recv);
    if (err || x->comm->remote)
        return err;
    own = coll_recv_block(x, x->root);
    return coll_send_arg(x, a, &own);
}

struct coll_operation coll_gather = { .kind = COLL_GATHER,
                                      .resolve = gather_resolve,
                                      .table = table,
                                      .choose = gather_choose,
                                      .inter = gather_inter };

/* Puts the blocks of all processes of comm in rank order in recvbuf at root (§5.3.3).
 * Errors: MPI_ERR_COMM, MPI_ERR_ROOT, MPI_ERR_BUFFER, MPI_ERR_COUNT, MPI_ERR_TYPE,
 * MPI_ERR_TRUNCATE. */
#define PARAMETERS(Count, Displ)                                                                   \
    const void *sendbuf, Count sendcount, MPI_Datatype sendtype, void *recvbuf, Count recvcount,   \
        MPI_Datatype recvtype, int root, MPI_Comm comm
#define ARGUMENTS sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm
#define COLL_ARGS                                                                                  \
    .sendbuf = sendbuf, .sendcount = sendcount, .sendtype = sendtype, .recvbuf = recvbuf,          \
    .recvcount = recvcount, .recvtype = recvtype, .root = root, .comm = comm
COLL_DOORS(coll_gather, Gather, Igather, Gather_init);
