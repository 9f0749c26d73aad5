#include "mpi/coll/coll_doors.h"
#include "mpi/coll/algo/algo.h"

enum { OVERSUBSCRIBED_LARGE = 256 << 10 }; /* bytes */

enum { DOUBLING, LINEAR };
static const struct coll_algorithm table[] = {
    [DOUBLING] = { .name = "doubling", .run = scan_doubling },
    [LINEAR] = { .name = "linear", .run = scan_linear },
    { .name = NULL },
};

static const struct coll_algorithm *scan_choose(const struct coll *x)
{
    return coll_oversubscribed(x) && coll_size(x->recv) >= OVERSUBSCRIBED_LARGE ? &table[LINEAR]
                                                                                : &table[DOUBLING];
}

struct coll_operation coll_scan = {
    .kind = COLL_SCAN, .resolve = coll_reduction_arg, .table = table, .choose = scan_choose
};

/* Combines the elements of all processes of comm up to and with our own, in rank order, into
 * recvbuf (§5.3.9).
 * Errors: MPI_ERR_COMM, MPI_ERR_BUFFER, MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_OP,
 * MPI_ERR_TRUNCATE. */
#define PARAMETERS(Count, Displ)                                                                   \
    const void *sendbuf, void *recvbuf, Count count, MPI_Datatype datatype, MPI_Op op, MPI_Comm comm
#define ARGUMENTS sendbuf, recvbuf, count, datatype, op, comm
#define COLL_ARGS                                                                                  \
    .sendbuf = sendbuf, .recvbuf = recvbuf, .recvcount = count, .recvtype = datatype, .op = op,    \
    .comm = comm
COLL_DOORS(coll_scan, Scan, Iscan, Scan_init);
