/* allreduce.c — MPI_Allreduce: in place, the order of operands, the same bits everywhere. */
#include "affine.h"
#include "holes.h"

/* C01 */
static void test_sum(struct me m, int n)
{
    int *v = values(m.rank, n, n), *result = ints(n);

    CHECK(MPI_Allreduce(v, result, n, MPI_INT, MPI_SUM, m.comm) == MPI_SUCCESS);
    check_values(v, m.rank, n, n);
    CHECK(MPI_Allreduce(MPI_IN_PLACE, v, n, MPI_INT, MPI_SUM, m.comm) == MPI_SUCCESS);
    for (int i = 0; i < n; i++) {
        int sum = 0;
        for (int rank = 0; rank < m.size; rank++)
            sum += value(rank, i, n);
        CHECK_INT(result[i], sum);
        CHECK_INT(v[i], sum);
    }
    free(result);
    free(v);
}

/* C07 */
static void test_order(struct me m, int n, MPI_Op op, MPI_Datatype type)
{
    struct affine *v = affine_values(m.rank, n), *result = mpitest_memory((size_t) n * sizeof *v);

    MPI_Allreduce(v, result, n, type, op, m.comm);
    affine_check(result, m.size, n);
    MPI_Allreduce(MPI_IN_PLACE, v, n, type, op, m.comm);
    affine_check(v, m.size, n);
    free(result);
    free(v);
}

static void test_holes(struct me m, int n, MPI_Op op)
{
    struct holes *v = holes_values(m.rank, n), *result = holes_values(99, n);

    MPI_Allreduce(v, result, n, holes_seen, op, m.comm);
    holes_check(result, m.size, n);
    MPI_Allreduce(MPI_IN_PLACE, v, n, holes_seen, op, m.comm);
    holes_check(v, m.size, n);
    free(result);
    free(v);
}

/* C08: sums of doubles depend on the order, which must be the same one for every rank, twice. */
static void test_same_bits(struct me m, int n)
{
    size_t len = (size_t) n * sizeof(double);
    double *v = mpitest_memory(len), *once = mpitest_memory(len), *again = mpitest_memory(len);

    for (int i = 0; i < n; i++)
        v[i] = 1.0 / (1 + value(m.rank, i, 0) % 97) * (i % 3 ? 1e10 : 1e-10);
    MPI_Allreduce(v, once, n, MPI_DOUBLE, MPI_SUM, m.comm);
    MPI_Allreduce(v, again, n, MPI_DOUBLE, MPI_SUM, m.comm);
    CHECK(memcmp(once, again, len) == 0);
    MPI_Bcast(again, n, MPI_DOUBLE, m.size - 1, m.comm);
    CHECK(memcmp(once, again, len) == 0);
    free(again);
    free(once);
    free(v);
}

static void test(MPI_Comm comm)
{
    struct me m = whoami(comm);
    MPI_Datatype pair = affine_type();
    MPI_Op then, add;

    holes_seen = holes_type();
    MPI_Op_create(affine_function, 0, &then);
    MPI_Op_create(holes_function, 1, &add);
    for (int c = 0; c < COUNTS; c++) {
        test_sum(m, counts[c]);
        test_order(m, counts[c], then, pair);
        test_holes(m, counts[c], add);
        test_same_bits(m, counts[c]);
    }
    test_sum(m, 400000);
    test_same_bits(m, 200003);
    CHECK(MPI_Allreduce(NULL, NULL, 0, MPI_INT, MPI_SUM, comm) == MPI_SUCCESS); /* C12 */
    MPI_Op_free(&then);
    MPI_Op_free(&add);
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
