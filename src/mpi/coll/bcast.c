#include "algo/algo.h"

enum { LARGE = 128 << 10 }; /* bytes */

static bool several(const struct coll *x) { return x->size > 2; }

static const struct coll_algorithm table[] = {
    { .name = "binomial", .run = bcast_binomial },
    { .name = "scatter_ring", .run = bcast_scatter_ring },
    { .name = "chain", .run = bcast_chain, .fits = several },
    { .name = NULL },
};

static const struct coll_algorithm *choose(const struct coll *x)
{
    return coll_size(x->recv) < LARGE || !several(x) ? &table[0] : &table[2];
}

struct coll_operation coll_bcast = { .tag = COLL_BCAST, .table = table, .choose = choose };

/* Copies root's buffer to that of all processes of comm (§5.3.2).
 * Errors: MPI_ERR_COMM, MPI_ERR_BUFFER, MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_ROOT, MPI_ERR_TRUNCATE. */
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
