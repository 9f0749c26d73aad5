#include "algo/algo.h"

enum { LARGE = 16 << 10, LARGE_FOR_TWO = 512 << 10, LARGE_PART = 128 << 10 }; /* bytes */
enum { CROWDED_SMALL = 32 << 10, CROWDED_LARGE = 512 << 10 };

/* Every process gets a part to combine. */
static bool enough(const struct coll *x) { return x->recv.count >= (size_t) x->size; }

static bool commutes(const struct coll *x) { return x->op->commutes && enough(x); }

enum { DOUBLING, HALVING, RING, TREE, LINEAR };
static const struct coll_algorithm table[] = {
    [DOUBLING] = { .name = "doubling", .run = allreduce_doubling },
    [HALVING] = { .name = "halving", .run = allreduce_halving, .fits = enough },
    [RING] = { .name = "ring", .run = allreduce_ring, .fits = commutes },
    [TREE] = { .name = "tree", .run = allreduce_tree },
    [LINEAR] = { .name = "linear", .run = allreduce_linear },
    { .name = NULL },
};

/* Where processes wait for cores, few turns and few copies count for more than parallel work. */
static const struct coll_algorithm *choose_crowded(size_t len)
{
    return len < CROWDED_SMALL ? &table[LINEAR] : &table[TREE];
}

static const struct coll_algorithm *choose(const struct coll *x)
{
    size_t len = coll_size(x->recv);

    if (coll_crowded(x) && len < CROWDED_LARGE)
        return choose_crowded(len);
    if (len < (x->size > 2 ? LARGE : LARGE_FOR_TWO) || !enough(x))
        return &table[DOUBLING];
    return len / (size_t) x->size > LARGE_PART && commutes(x) ? &table[RING] : &table[HALVING];
}

struct coll_operation coll_allreduce = { .tag = COLL_ALLREDUCE, .table = table, .choose = choose };

/* Combines the elements of all processes of comm, into recvbuf of each (§5.3.7); the result has the
 * same bits everywhere.
 * Errors: MPI_ERR_COMM, MPI_ERR_BUFFER, MPI_ERR_COUNT, MPI_ERR_TYPE, MPI_ERR_OP,
 * MPI_ERR_TRUNCATE. */
int PMPI_Allreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                   MPI_Comm comm)
{
    ENTER("MPI_Allreduce", sendbuf, recvbuf, count, datatype, op, comm);
    struct adi3_comm *c;
    struct coll x;

    TRY(mpir_comm_arg(&call, comm, &c));
    coll_begin(&x, c);
    TRY(coll_operands_arg(&x, sendbuf, recvbuf, count, datatype));
    TRY(coll_op_arg(&x, op));
    TRY(coll_run(&coll_allreduce, &x));
    return mpir_leave(&call);
}
MPIR_WEAK(Allreduce);
