#include "mpi/coll/coll_doors.h"
#include "mpi/coll/algo/cost.h"
#include "mpi/coll/algo/shared.h"
#include "mpi/coll/nodes.h"

enum { SHARED_SMALL = 8 << 10, SHARED_LARGE = 16 << 10, SHARED_FOR_TWO = 128 << 10 }; /* bytes */
enum { SMALL = 4 << 10, MANY = 32 }; /* bytes of a block; processes */

enum { BINOMIAL, LINEAR, NODES, SHARED, DIRECT, ROWS };
static const struct coll_algorithm table[] = {
    [BINOMIAL] = { .name = "binomial", .run = scatter_binomial },
    [LINEAR] = { .name = "linear", .run = scatter_linear },
    [NODES] = { .name = "nodes", .run = scatter_nodes, .fits = coll_in_phases },
    [SHARED] = { .name = "shared", .run = scatter_shared, .fits = shared_fits },
    [DIRECT] = { .name = "direct", .run = scatter_direct, .fits = shared_fits },
    { .name = NULL },
};

/* The algorithm in shared memory that is best; NULL when messages are better. With two processes,
 * and where processes wait for cores, the root's core may as well copy all blocks to the segment,
 * but not where far cores would pass large ones twice. Of two processes with cores of their own
 * sender and receiver both copy a large message. */
static const struct coll_algorithm *choose_shared(const struct coll *x)
{
    size_t len = coll_size(x->rank == x->root ? x->send : x->recv);

    if (!shared_fits(x))
        return NULL;
    if (x->size == 2)
        return len <= SHARED_FOR_TWO ? &table[SHARED] : NULL;
    if (x->comm->oversubscribed)
        return &table[len <= SHARED_LARGE ? SHARED : DIRECT];
    bool small = len < SHARED_SMALL && shared_fits_chunk(x, len * (size_t) x->size);
    return &table[small ? SHARED : DIRECT];
}

static const struct coll_algorithm *choose_between(const struct coll *x)
{
    const struct cost_place at = cost_place_of(x);
    const size_t block = coll_size(x->recv);
    const uint64_t cost[ROWS] = { [BINOMIAL] = cost_blocks_binomial(&at, block),
                                  [LINEAR] = cost_blocks_linear(&at, block),
                                  [NODES] = cost_blocks_nodes(x, &at, block) };

    return cost_choose(x, table, cost, ROWS);
}

static const struct coll_algorithm *scatter_choose(const struct coll *x)
{
    if (coll_between_nodes(x))
        return choose_between(x);
    const struct coll_algorithm *shared = choose_shared(x);

    if (shared)
        return shared;
    return x->size >= MANY && coll_size(x->recv) < SMALL ? &table[BINOMIAL] : &table[LINEAR];
}

static int scatter_resolve(struct coll *x, const struct coll_args *a)
{
    struct adi3_data own;
    int err = mpir_root_arg(x->comm, a->root);

    x->root = a->root;
    if (err || coll_is_idle(x))
        return err;
    if (!coll_is_root(x))
        return coll_recv_arg(x, a, NULL);
    err = mpir_data_arg(a->sendbuf, a->sendcount, a->sendtype, &x->send);
    if (err || x->comm->remote)
        return err;
    own = coll_send_block(x, x->root);
    return coll_recv_arg(x, a, &own);
}

struct coll_operation coll_scatter = { .kind = COLL_SCATTER,
                                       .resolve = scatter_resolve,
                                       .table = table,
                                       .choose = scatter_choose,
                                       .inter = scatter_inter };

/* Sends each process of comm its block of sendbuf at root (§5.3.4).
 * Errors: MPI_ERR_COMM, MPI_ERR_ROOT, MPI_ERR_BUFFER, MPI_ERR_COUNT, MPI_ERR_TYPE,
 * MPI_ERR_TRUNCATE. */
#define PARAMETERS(Count, Displ)                                                                   \
    const void *sendbuf, Count sendcount, MPI_Datatype sendtype, void *recvbuf, Count recvcount,   \
        MPI_Datatype recvtype, int root, MPI_Comm comm
#define ARGUMENTS sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm
#define COLL_ARGS                                                                                  \
    .sendbuf = sendbuf, .sendcount = sendcount, .sendtype = sendtype, .recvbuf = recvbuf,          \
    .recvcount = recvcount, .recvtype = recvtype, .root = root, .comm = comm
COLL_DOORS(coll_scatter, Scatter, Iscatter, Scatter_init);
