#include "algo/algo.h"

enum { CROWDED_SMALL = 32 << 10 }; /* bytes */

enum { DOUBLING, LINEAR };
static const struct coll_algorithm table[] = {
    [DOUBLING] = { .name = "doubling", .run = scan_doubling },
    [LINEAR] = { .name = "linear", .run = scan_linear },
    { .name = NULL },
};

static const struct coll_algorithm *choose(const struct coll *x)
{
    return coll_crowded(x) && coll_size(x->recv) < CROWDED_SMALL ? &table[LINEAR]
                                                                 : &table[DOUBLING];
}

struct coll_operation coll_scan = { .tag = COLL_SCAN, .table = table, .choose = choose };

/* Combines the elements of all processes of comm up to and with our own, in rank order, into
 * recvbuf (§5.3.9).
 * Errors: MPI_ERR_COMM, MPI_ERR_BUFFER, MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_OP,
 * MPI_ERR_TRUNCATE. */
int PMPI_Scan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
              MPI_Comm comm)
{
    ENTER("MPI_Scan", sendbuf, recvbuf, count, datatype, op, comm);
    struct adi3_comm *c;
    struct coll x;

    TRY(mpir_comm_arg(&call, comm, &c));
    coll_begin(&x, c);
    TRY(coll_operands_arg(&x, sendbuf, recvbuf, count, datatype));
    TRY(coll_op_arg(&x, op));
    TRY(coll_run(&coll_scan, &x));
    return mpir_leave(&call);
}
MPIR_WEAK(Scan);
