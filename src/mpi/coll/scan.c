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

/* The arguments of a call in any of its three forms. */
static inline struct coll_args scan_args(const void *sendbuf, void *recvbuf, MPI_Count count,
                                         MPI_Datatype datatype, MPI_Op op, MPI_Comm comm)
{
    return (struct coll_args) { .sendbuf = sendbuf,
                                .recvbuf = recvbuf,
                                .recvcount = count,
                                .recvtype = datatype,
                                .op = op,
                                .comm = comm };
}

/* Combines the elements of all processes of comm up to and with our own, in rank order, into
 * recvbuf (§5.3.9).
 * Errors: MPI_ERR_COMM, MPI_ERR_BUFFER, MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_OP,
 * MPI_ERR_TRUNCATE. */
int PMPI_Scan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
              MPI_Comm comm)
{
    ENTER("MPI_Scan", sendbuf, recvbuf, count, datatype, op, comm);
    const struct coll_args a = scan_args(sendbuf, recvbuf, count, datatype, op, comm);

    TRY(coll_call(&call, &coll_scan, &a));
    return mpir_leave(&call);
}
MPIR_WEAK(Scan);

/* Starts a nonblocking MPI_Scan; buffers and arrays must be kept until request is complete
 * (§5.12).
 * Errors: as MPI_Scan, and MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Iscan(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
               MPI_Comm comm, MPI_Request *request)
{
    ENTER("MPI_Iscan", sendbuf, recvbuf, count, datatype, op, comm, request);
    const struct coll_args a = scan_args(sendbuf, recvbuf, count, datatype, op, comm);

    TRY(coll_begin_call(&call, &coll_scan, &a, request));
    return mpir_leave(&call);
}
MPIR_WEAK(Iscan);

/* Makes a persistent request that does what MPI_Iscan does at each MPI_Start (§5.13);
 * collective.
 * Errors: as MPI_Scan, and MPI_ERR_INFO, MPI_ERR_ARG, MPI_ERR_NO_MEM. */
int PMPI_Scan_init(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                   MPI_Comm comm, MPI_Info info, MPI_Request *request)
{
    ENTER("MPI_Scan_init", sendbuf, recvbuf, count, datatype, op, comm, info, request);
    const struct coll_args a = scan_args(sendbuf, recvbuf, count, datatype, op, comm);

    TRY(coll_init_call(&call, &coll_scan, &a, info, request));
    return mpir_leave(&call);
}
MPIR_WEAK(Scan_init);
