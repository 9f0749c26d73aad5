#include "algo/algo.h"

enum { DISSEMINATION, DOUBLING, TREE, LINEAR };
static const struct coll_algorithm table[] = {
    [DISSEMINATION] = { .name = "dissemination", .run = barrier_dissemination },
    [DOUBLING] = { .name = "doubling", .run = barrier_doubling },
    [TREE] = { .name = "tree", .run = barrier_tree },
    [LINEAR] = { .name = "linear", .run = barrier_linear },
    { .name = NULL },
};

static const struct coll_algorithm *choose(const struct coll *x)
{
    return coll_crowded(x) ? &table[LINEAR] : &table[DISSEMINATION];
}

struct coll_operation coll_barrier = { .tag = COLL_BARRIER, .table = table, .choose = choose };

/* Returns when all processes of comm have called it (§5.3.1). Errors: MPI_ERR_COMM. */
int PMPI_Barrier(MPI_Comm comm)
{
    ENTER("MPI_Barrier", comm);
    struct adi3_comm *c;
    struct coll x;

    TRY(mpir_comm_arg(&call, comm, &c));
    coll_begin(&x, c);
    TRY(coll_run(&coll_barrier, &x));
    return mpir_leave(&call);
}
MPIR_WEAK(Barrier);
