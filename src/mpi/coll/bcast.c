#include "algo/algo.h"

enum { LARGE = 512 << 10, MANY = 16 }; /* bytes; processes */

enum { BINOMIAL, SCATTER_RING, CHAIN, LINEAR };
static const struct coll_algorithm table[] = {
    [BINOMIAL] = { .name = "binomial", .run = bcast_binomial },
    [SCATTER_RING] = { .name = "scatter_ring", .run = bcast_scatter_ring },
    [CHAIN] = { .name = "chain", .run = bcast_chain },
    [LINEAR] = { .name = "linear", .run = bcast_linear },
    { .name = NULL },
};

static const struct coll_algorithm *choose(const struct coll *x)
{
    size_t len = coll_size(x->recv);

    if (len < LARGE || x->size <= 2)
        return &table[BINOMIAL];
    if (len >= (size_t) x->size * BCAST_SEGMENT) /* more segments than processes */
        return &table[CHAIN];
    return x->size < MANY ? &table[BINOMIAL] : &table[SCATTER_RING];
}

struct coll_operation coll_bcast = { .tag = COLL_BCAST, .table = table, .choose = choose };

/* Copies root's buffer to that of all processes of comm (§5.3.2).
 * Errors: MPI_ERR_COMM, MPI_ERR_BUFFER, MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_ROOT,
 * MPI_ERR_TRUNCATE. */
int PMPI_Bcast(void *buffer, int count, MPI_Datatype datatype, int root, MPI_Comm comm)
{
    ENTER("MPI_Bcast", buffer, count, datatype, root, comm);
    struct adi3_comm *c;
    struct coll x;

    TRY(mpir_comm_arg(&call, comm, &c));
    coll_begin(&x, c);
    TRY(mpir_data_arg(buffer, count, datatype, &x.recv));
    TRY(mpir_root_arg(c, root));
    x.root = root;
    TRY(coll_run(&coll_bcast, &x));
    return mpir_leave(&call);
}
MPIR_WEAK(Bcast);
