#include "mpi/coll/coll_doors.h"
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

enum { DOUBLING, MULTIPLYING, HALVING, CIRCULANT, RING, TREE, LINEAR, NODES, SHARED, DIRECT };
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
 * shared memory is best at any length: nobody waits for the one that copies. */
static const struct coll_algorithm *choose_shared(const struct coll *x)
{
    size_t len = coll_size(x->recv);

    if (!shared_reduces(x))
        return NULL;
    if (len < SHARED_SMALL || x->comm->oversubscribed)
        return &table[SHARED];
    return x->size == 2 ? NULL : &table[DIRECT];
}

static const struct coll_algorithm *allreduce_choose(const struct coll *x)
{
    size_t len = coll_size(x->recv);

    if (coll_reduces_in_phases(x))
        return &table[NODES];
    const struct coll_algorithm *shared = choose_shared(x);

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
