#include "mpi/coll/algo/shared.h"
#include "mpi/coll/nodes.h"

enum { SHARED_SMALL = 8 << 10 }; /* bytes */
enum {
    LARGEST_BUNDLED = 16 << 10
}; /* bytes: larger blocks go between nodes in messages of
                                      * their own */

enum { SMALL = 4 << 10, MANY = 32 }; /* bytes of a block; processes */

enum { BINOMIAL, LINEAR, NODES, SHARED, DIRECT };
static const struct coll_algorithm table[] = {
    [BINOMIAL] = { .name = "binomial", .run = scatter_binomial },
    [LINEAR] = { .name = "linear", .run = scatter_linear },
    [NODES] = { .name = "nodes", .run = scatter_nodes, .fits = coll_in_phases },
    [SHARED] = { .name = "shared", .run = scatter_shared, .fits = shared_fits },
    [DIRECT] = { .name = "direct", .run = scatter_direct, .fits = shared_fits },
    { .name = NULL },
};

/* The algorithm in shared memory that is best; NULL when messages are better. With two processes
 * and blocks that are not small messages are faster, because sender and receiver both copy. */
static const struct coll_algorithm *choose_shared(const struct coll *x)
{
    size_t len = coll_size(x->rank == x->root ? x->send : x->recv);

    if (!shared_fits(x))
        return NULL;
    if (len < SHARED_SMALL && shared_fits_chunk(x, len * (size_t) x->size))
        return &table[SHARED];
    return x->size == 2 ? NULL : &table[DIRECT];
}

static const struct coll_algorithm *scatter_choose(const struct coll *x)
{
    if (coll_size(x->recv) <= LARGEST_BUNDLED && coll_in_phases(x))
        return &table[NODES];
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

/* The arguments of a call in any of its three forms. */
static inline struct coll_args scatter_args(const void *sendbuf, MPI_Count sendcount,
                                            MPI_Datatype sendtype, void *recvbuf,
                                            MPI_Count recvcount, MPI_Datatype recvtype, int root,
                                            MPI_Comm comm)
{
    return (struct coll_args) { .sendbuf = sendbuf,
                                .sendcount = sendcount,
                                .sendtype = sendtype,
                                .recvbuf = recvbuf,
                                .recvcount = recvcount,
                                .recvtype = recvtype,
                                .root = root,
                                .comm = comm };
}

/* Sends each process of comm its block of sendbuf at root (§5.3.4).
 * Errors: MPI_ERR_COMM, MPI_ERR_ROOT, MPI_ERR_BUFFER, MPI_ERR_COUNT, MPI_ERR_TYPE,
 * MPI_ERR_TRUNCATE. */
int PMPI_Scatter(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                 int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    ENTER("MPI_Scatter", sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm);
    const struct coll_args a =
        scatter_args(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm);

    TRY(coll_call(&call, &coll_scatter, &a));
    return mpir_leave(&call);
}
MPIR_WEAK(Scatter);

/* Starts a nonblocking MPI_Scatter; buffers and arrays must be kept until request is complete
 * (§5.12).
 * Errors: as MPI_Scatter, and MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Iscatter(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                  int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
                  MPI_Request *request)
{
    ENTER("MPI_Iscatter", sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm,
          request);
    const struct coll_args a =
        scatter_args(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm);

    TRY(coll_begin_call(&call, &coll_scatter, &a, request));
    return mpir_leave(&call);
}
MPIR_WEAK(Iscatter);

/* Makes a persistent request that does what MPI_Iscatter does at each MPI_Start (§5.13);
 * collective.
 * Errors: as MPI_Scatter, and MPI_ERR_INFO, MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Scatter_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                      int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info,
                      MPI_Request *request)
{
    ENTER("MPI_Scatter_init", sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root,
          comm, info, request);
    const struct coll_args a =
        scatter_args(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm);

    TRY(coll_init_call(&call, &coll_scatter, &a, info, request));
    return mpir_leave(&call);
}
MPIR_WEAK(Scatter_init);
