/* scan.c — MPI_Scan and MPI_Exscan in their three forms: in place, the order of operands, derived
 * types, rank 0. */
#include "affine.h"
#include "forms.h"
#include "holes.h"

static int sum(int ranks, int i, int round)
{
    int s = 0;

    for (int rank = 0; rank < ranks; rank++)
        s += value(rank, i, round);
    return s;
}

static void check_sums(const int *v, int ranks, int n)
{
    for (int i = 0; i < n; i++)
        CHECK_INT(v[i], sum(ranks, i, n));
}

/* C01 */
static void test_scan(struct me m, int n)
{
    int *v = values(m.rank, n, n), *result = ints(n);

    CHECK(FORM(Scan, Iscan, v, result, n, MPI_INT, MPI_SUM, m.comm) == MPI_SUCCESS);
    check_values(v, m.rank, n, n);
    check_sums(result, m.rank + 1, n);
    CHECK(FORM(Scan, Iscan, MPI_IN_PLACE, v, n, MPI_INT, MPI_SUM, m.comm) == MPI_SUCCESS);
    check_sums(v, m.rank + 1, n);
    free(result);
    free(v);
}

/* C11: recvbuf of rank 0 does not change. */
static void test_exscan(struct me m, int n)
{
    int *v = values(m.rank, n, n), *result = ints(n);

    CHECK(FORM(Exscan, Iexscan, v, result, n, MPI_INT, MPI_SUM, m.comm) == MPI_SUCCESS);
    check_values(v, m.rank, n, n);
    if (m.rank == 0)
        check_untouched(result, n);
    else
        check_sums(result, m.rank, n);
    CHECK(FORM(Exscan, Iexscan, MPI_IN_PLACE, v, n, MPI_INT, MPI_SUM, m.comm) == MPI_SUCCESS);
    if (m.rank == 0)
        check_values(v, 0, n, n);
    else
        check_sums(v, m.rank, n);
    free(result);
    free(v);
}

/* C07, C11 */
static void test_order(struct me m, int n, MPI_Op op, MPI_Datatype type)
{
    struct affine *v = affine_values(m.rank, n), *result = mpitest_memory((size_t) n * sizeof *v);

    CHECK(FORM(Scan, Iscan, v, result, n, type, op, m.comm) == MPI_SUCCESS);
    affine_check(result, m.rank + 1, n);
    CHECK(FORM(Exscan, Iexscan, v, result, n, type, op, m.comm) == MPI_SUCCESS);
    affine_check(result, m.rank == 0 ? 1 : m.rank, n); /* rank 0 still has its result of MPI_Scan */
    CHECK(FORM(Scan, Iscan, MPI_IN_PLACE, v, n, type, op, m.comm) == MPI_SUCCESS);
    affine_check(v, m.rank + 1, n);
    free(v);
    v = affine_values(m.rank, n);
    CHECK(FORM(Exscan, Iexscan, MPI_IN_PLACE, v, n, type, op, m.comm) == MPI_SUCCESS);
    affine_check(v, m.rank == 0 ? 1 : m.rank, n);
    free(result);
    free(v);
}

static void test_holes(struct me m, int n, MPI_Op op)
{
    struct holes *v = holes_values(m.rank, n), *result = holes_values(99, n);

    CHECK(FORM(Scan, Iscan, v, result, n, holes_seen, op, m.comm) == MPI_SUCCESS);
    holes_check(result, m.rank + 1, n);
    CHECK(FORM(Exscan, Iexscan, MPI_IN_PLACE, v, n, holes_seen, op, m.comm) == MPI_SUCCESS);
    holes_check(v, m.rank == 0 ? 1 : m.rank, n);
    free(result);
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
    for (int c = 0; c < (form == BLOCKING ? COUNTS : COUNTS - 1); c++) {
        test_scan(m, counts[c]);
        test_exscan(m, counts[c]);
        test_order(m, counts[c], then, pair);
        test_holes(m, counts[c], add);
    }
    CHECK(FORM(Scan, Iscan, NULL, NULL, 0, MPI_INT, MPI_SUM, comm) == MPI_SUCCESS); /* C12 */
    CHECK(FORM(Exscan, Iexscan, NULL, NULL, 0, MPI_INT, MPI_SUM, comm) == MPI_SUCCESS);
    MPI_Op_free(&then);
    MPI_Op_free(&add);
    MPI_Type_free(&holes_seen);
    MPI_Type_free(&pair);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    for (form = BLOCKING; form < FORMS; form++)
        comms_each(test);
    MPI_Finalize();
    return 0;
}
