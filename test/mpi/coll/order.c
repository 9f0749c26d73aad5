/* order.c — C05, C07 to C11: which types operations take, in which order operands are combined,
 * and which parts of buffers are written. */
#include <math.h>
#include <time.h>
#include "affine.h"

enum { N = 700 };

/* C07: at every root, and in the scans, for all sizes. */
static void test_order(struct me m, int n)
{
    struct affine *v = affine_values(m.rank, n), *got = mpitest_memory((size_t) n * sizeof *got);
    MPI_Datatype type = affine_type();
    int commutes = -1;
    MPI_Op op;

    MPI_Op_create(affine_function, 0, &op);
    MPI_Op_commutative(op, &commutes);
    CHECK_INT(commutes, 0);
    for (int root = 0; root < m.size; root++) {
        MPI_Reduce(v, m.rank == root ? got : NULL, n, type, op, root, m.comm); /* C09 */
        if (m.rank == root)
            affine_check(got, m.size, n);
    }
    MPI_Allreduce(v, got, n, type, op, m.comm);
    affine_check(got, m.size, n);
    MPI_Scan(v, got, n, type, op, m.comm);
    affine_check(got, m.rank + 1, n);
    MPI_Exscan(v, got, n, type, op, m.comm);
    if (m.rank > 0)
        affine_check(got, m.rank, n);
    MPI_Op_free(&op);
    MPI_Type_free(&type);
    free(v);
    free(got);
}

/* C10: some processes get no elements. */
static void test_zero_counts(struct me m, int n)
{
    int *lens = ints(m.size), total = 0, first = 0;
    MPI_Datatype type = affine_type();
    MPI_Op op;

    for (int r = 0; r < m.size; r++) {
        lens[r] = r % 2 ? 0 : n + r;
        first += r < m.rank ? lens[r] : 0;
        total += lens[r];
    }
    struct affine *v = affine_values(m.rank, total), *got = mpitest_memory((size_t) total * 8);
    MPI_Op_create(affine_function, 0, &op);
    MPI_Reduce_scatter(v, lens[m.rank] ? got : NULL, lens, type, op, m.comm);
    for (int i = 0; i < lens[m.rank]; i++) {
        struct affine want = affine_result(m.size, first + i);
        CHECK_INT(got[i].a, want.a);
        CHECK_INT(got[i].b, want.b);
    }
    MPI_Reduce_scatter(MPI_IN_PLACE, v, lens, type, op, m.comm);
    CHECK(memcmp(v, got, (size_t) lens[m.rank] * sizeof *v) == 0);
    MPI_Op_free(&op);
    MPI_Type_free(&type);
    free(v);
    free(got);
    free(lens);
}

/* C11 */
static void test_exscan(struct me m)
{
    int v = m.rank + 1, got = -7, sum = m.rank * (m.rank + 1) / 2;

    MPI_Exscan(&v, &got, 1, MPI_INT, MPI_SUM, m.comm);
    CHECK_INT(got, m.rank ? sum : -7);
    MPI_Exscan(MPI_IN_PLACE, &v, 1, MPI_INT, MPI_SUM, m.comm);
    CHECK_INT(v, m.rank ? sum : 1);
}

/* C08: the sum of these numbers depends on the order: all processes get the same bits, and again
 * the same bits however late one process is. */
static void test_bits(struct me m, int n)
{
    const struct timespec pause = { .tv_nsec = 300000 };
    size_t len = (size_t) n * sizeof(double);
    double *v = mpitest_memory(len), *first = mpitest_memory(len), *got = mpitest_memory(len);
    double *others = mpitest_memory(len);

    for (int i = 0; i < n; i++)
        v[i] = sin(1.0 + m.rank * 37 + i) * pow(10, (m.rank * 7 + i) % 12);
    MPI_Allreduce(v, first, n, MPI_DOUBLE, MPI_SUM, m.comm);
    memcpy(others, first, len);
    MPI_Bcast(others, n, MPI_DOUBLE, 0, m.comm);
    CHECK(memcmp(first, others, len) == 0);
    for (int late = 0; late < m.size; late++) {
        if (m.rank == late)
            nanosleep(&pause, NULL);
        MPI_Allreduce(v, got, n, MPI_DOUBLE, MPI_SUM, m.comm);
        CHECK(memcmp(first, got, len) == 0);
    }
    free(v);
    free(first);
    free(got);
    free(others);
}

static void keep_left(void *in, void *inout, int *len, MPI_Datatype *type)
{
    (void) type;
    memcpy(inout, in, (size_t) *len * sizeof(int));
}

/* C09: inout becomes in op inout. */
static void test_local(struct me m)
{
    int *in = values(m.rank, N, 1), *inout = values(m.rank, N, 2), flag = -1;
    MPI_Op op;

    MPI_Reduce_local(in, inout, N, MPI_INT, MPI_SUM);
    for (int i = 0; i < N; i++)
        CHECK_INT(inout[i], in[i] + value(m.rank, i, 2));
    MPI_Op_create(keep_left, 0, &op);
    MPI_Reduce_local(in, inout, N, MPI_INT, op);
    check_values(inout, m.rank, N, 1);
    CHECK(MPI_Reduce_local(NULL, NULL, 0, MPI_INT, op) == MPI_SUCCESS);
    MPI_Op_free(&op);
    MPI_Op_commutative(MPI_SUM, &flag);
    CHECK_INT(flag, 1);
    MPI_Op_commutative(MPI_MAXLOC, &flag);
    CHECK_INT(flag, 1);
    free(in);
    free(inout);
}

static void test(MPI_Comm comm)
{
    struct me m = whoami(comm);

    test_order(m, 1);
    test_order(m, N);
    test_order(m, 30 * N);
    test_zero_counts(m, 1);
    test_zero_counts(m, 5 * N);
    test_exscan(m);
    test_bits(m, 1);
    test_bits(m, 13);
    test_bits(m, 2 * N);
    test_bits(m, 100 * N);
    test_local(m);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    test(MPI_COMM_WORLD);
    test(MPI_COMM_SELF);
    comms_split(test, 0, -whoami(MPI_COMM_WORLD).rank);
    MPI_Finalize();
    return 0;
}
