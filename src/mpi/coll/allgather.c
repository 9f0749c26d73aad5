#include "algo/algo.h"

enum { SMALL = 32 << 10, LARGE = 512 << 10, CROWDED_SMALL = 16 << 10 }; /* bytes of all blocks */

static bool power_of_two(const struct coll *x) { return coll_power(x->size) == x->size; }

enum { BRUCK, DOUBLING, RING, TREE, LINEAR };
static const struct coll_algorithm table[] = {
    [BRUCK] = { .name = "bruck", .run = allgather_bruck },
    [DOUBLING] = { .name = "doubling", .run = allgather_doubling, .fits = power_of_two },
    [RING] = { .name = "ring", .run = allgather_ring },
    [TREE] = { .name = "tree", .run = allgather_tree },
    [LINEAR] = { .name = "linear", .run = allgather_linear },
    { .name = NULL },
};

static const struct coll_algorithm *choose(const struct coll *x)
{
    size_t all = coll_size(x->recv) * (size_t) x->size;

    if (coll_crowded(x) && all < CROWDED_SMALL)
        return &table[LINEAR];
    if (power_of_two(x))
        return all < LARGE ? &table[DOUBLING] : &table[RING];
    return all < SMALL ? &table[BRUCK] : &table[RING];
}

struct coll_operation coll_allgather = { .tag = COLL_ALLGATHER, .table = table, .choose = choose };

/* Puts the blocks of all processes of comm one behind the other in recvbuf of each (§5.3.5).
 * Errors: MPI_ERR_COMM, MPI_ERR_BUFFER, MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_TRUNCATE. */
int PMPI_Allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                   int recvcount, MPI_Datatype recvtype, MPI_Comm comm)
{
    ENTER("MPI_Allgather", sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
    struct adi3_comm *c;
    struct adi3_data own;
    struct coll x;

    TRY(mpir_comm_arg(&call, comm, &c));
    coll_begin(&x, c);
    TRY(mpir_data_arg(recvbuf, recvcount, recvtype, &x.recv));
    own = coll_block(&x.recv, c->rank);
    TRY(coll_send_arg(&x, sendbuf, sendcount, sendtype, &own));
    TRY(coll_run(&coll_allgather, &x));
    return mpir_leave(&call);
}
MPIR_WEAK(Allgather);
