/* reduce.c — MPI_Reduce: every root, in place, the order of operands, derived types.
 *
 * MPICH 4.0 fails: MPI_IN_PLACE at a root other than 0 crashes it, unless the environment has
 * MPIR_CVAR_REDUCE_DEVICE_COLLECTIVE=0. */
#include "affine.h"
#include "holes.h"

static int sum(int size, int i, int round)
{
    int s = 0;

    for (int rank = 0; rank < size; rank++)
        s += value(rank, i, round);
    return s;
}

/* C01, C09: recvbuf is read and written only at the root. */
static void test_sum(struct me m, int root, int n)
{
    int *v = values(m.rank, n, n), *result = ints(n);

    CHECK(MPI_Reduce(v, m.rank == root ? result : NULL, n, MPI_INT, MPI_SUM, root, m.comm)
          == MPI_SUCCESS);
    check_values(v, m.rank, n, n);
    for (int i = 0; i < n && m.rank == root; i++)
        CHECK_INT(result[i], sum(m.size, i, n));

    if (m.rank == root)
        MPI_Reduce(MPI_IN_PLACE, v, n, MPI_INT, MPI_SUM, root, m.comm);
    else
        MPI_Reduce(v, result, n, MPI_INT, MPI_SUM, root, m.comm);
    if (m.rank == root)
        for (int i = 0; i < n; i++)
            CHECK_INT(v[i], sum(m.size, i, n));
    else
        check_untouched(result, n);
    free(result);
    free(v);
}

/* C07: the order of operands is that of ranks, for every root. */
static void test_order(struct me m, int root, int n, MPI_Op op, MPI_Datatype type)
{
    struct affine *v = affine_values(m.rank, n), *result = mpitest_memory((size_t) n * sizeof *v);

    MPI_Reduce(v, result, n, type, op, root, m.comm);
    if (m.rank == root)
        affine_check(result, m.size, n);
    if (m.rank == root)
        MPI_Reduce(MPI_IN_PLACE, v, n, type, op, root, m.comm);
    else
        MPI_Reduce(v, NULL, n, type, op, root, m.comm);
    if (m.rank == root)
        affine_check(v, m.size, n);
    free(result);
    free(v);
}

/* C07, D15: a derived type with gaps, which must not change. */
static void test_holes(struct me m, int root, int n, MPI_Op op)
{
    struct holes *v = holes_values(m.rank, n), *result = holes_values(99, n);

    MPI_Reduce(v, result, n, holes_seen, op, root, m.comm);
    if (m.rank == root)
        holes_check(result, m.size, n);
    if (m.rank == root)
        MPI_Reduce(MPI_IN_PLACE, v, n, holes_seen, op, root, m.comm);
    else
        MPI_Reduce(v, NULL, n, holes_seen, op, root, m.comm);
    if (m.rank == root)
        holes_check(v, m.size, n);
    free(result);
    free(v);
}

static void test(MPI_Comm comm)
{
    struct me m = whoami(comm);
    MPI_Datatype pair = affine_type();
    MPI_Op then, add;

    holes_seen = holes_type();
    CHECK(MPI_Op_create(affine_function, 0, &then) == MPI_SUCCESS);
    CHECK(MPI_Op_create(holes_function, 1, &add) == MPI_SUCCESS);
    for (int root = 0; root < m.size; root++) {
        for (int c = 0; c < COUNTS; c++)
            test_sum(m, root, counts[c]);
        test_order(m, root, 1, then, pair);
        test_order(m, root, 5000, then, pair);
        test_holes(m, root, 3, add);
        test_holes(m, root, 5000, add);
        CHECK(MPI_Reduce(NULL, NULL, 0, MPI_INT, MPI_SUM, root, comm) == MPI_SUCCESS); /* C12 */
    }
    MPI_Op_free(&then);
    MPI_Op_free(&add);
    CHECK(then == MPI_OP_NULL && add == MPI_OP_NULL);
    MPI_Type_free(&holes_seen);
    MPI_Type_free(&pair);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    comms_each(test);
    MPI_Finalize();
    return 0;
}
