#include "mpi/coll/coll_doors.h"
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
    DIRECT
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
 * shared memory is best at any length: nobody waits for the one that copies. */
static const struct coll_algorithm *choose_shared(const struct coll *x)
{
    size_t len = coll_size(x->recv);

    if (!shared_fits(x))
        return NULL;
    if (len < SHARED_SMALL || x->comm->oversubscribed)
        return &table[SHARED];
    return x->size == 2 ? NULL : &table[DIRECT];
}

static const struct coll_algorithm *bcast_choose(const struct coll *x)
{
    size_t len = coll_size(x->recv);

    if (coll_in_phases(x))
        return &table[NODES];
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
