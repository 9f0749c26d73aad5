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

static const struct coll_algorithm *barrier_choose(const struct coll *x)
{
    if (coll_in_phases(x))
        return &table[NODES];
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
int PMPI_Barrier(MPI_Comm comm)
{
    ENTER("MPI_Barrier", comm);
    const struct coll_args a = { .comm = comm };

    TRY(coll_call(&call, &coll_barrier, &a));
    return mpir_leave(&call);
}
MPIR_WEAK(Barrier);

/* Starts a nonblocking MPI_Barrier; request is complete when all processes have called it
 * (§5.12).
 * Errors: as MPI_Barrier, and MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Ibarrier(MPI_Comm comm, MPI_Request *request)
{
    ENTER("MPI_Ibarrier", comm, request);
    const struct coll_args a = { .comm = comm };

    TRY(coll_begin_call(&call, &coll_barrier, &a, request));
    return mpir_leave(&call);
}
MPIR_WEAK(Ibarrier);

/* Makes a persistent request that does what MPI_Ibarrier does at each MPI_Start (§5.13);
 * collective.
 * Errors: as MPI_Barrier, and MPI_ERR_INFO, MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Barrier_init(MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    ENTER("MPI_Barrier_init", comm, info, request);
    const struct coll_args a = { .comm = comm };

    TRY(coll_init_call(&call, &coll_barrier, &a, info, request));
    return mpir_leave(&call);
}
MPIR_WEAK(Barrier_init);
