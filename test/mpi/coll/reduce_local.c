/* reduce_local.c — MPI_Reduce_local: which operand comes first; and MPI_Op_commutative. */
#include "affine.h"
#include "holes.h"

/* C09 */
static void test_predefined(int n)
{
    int *in = values(1, n, 0), *inout = values(2, n, 0);

    CHECK(MPI_Reduce_local(in, inout, n, MPI_INT, MPI_SUM) == MPI_SUCCESS);
    check_values(in, 1, n, 0);
    for (int i = 0; i < n; i++)
        CHECK_INT(inout[i], value(1, i, 0) + value(2, i, 0));
    free(inout);
    free(in);
}

static void test_users(int n)
{
    struct affine *first = affine_values(0, n), *then = affine_values(1, n);
    struct holes *a = holes_values(0, n), *b = holes_values(1, n);
    MPI_Datatype pair = affine_type();
    MPI_Op op, add;
    int commutes = -1;

    holes_seen = holes_type();
    MPI_Op_create(affine_function, 0, &op);
    MPI_Op_create(holes_function, 7, &add);
    CHECK(MPI_Reduce_local(first, then, n, pair, op) == MPI_SUCCESS);
    affine_check(then, 2, n);
    CHECK(MPI_Reduce_local(a, b, n, holes_seen, add) == MPI_SUCCESS);
    holes_check(b, 2, n);
    CHECK(MPI_Op_commutative(op, &commutes) == MPI_SUCCESS);
    CHECK_INT(commutes, 0);
    CHECK(MPI_Op_commutative(add, &commutes) == MPI_SUCCESS);
    CHECK(commutes != 0);
    MPI_Op_free(&op);
    MPI_Op_free(&add);
    MPI_Type_free(&holes_seen);
    MPI_Type_free(&pair);
    free(b);
    free(a);
    free(then);
    free(first);
}

int main(int argc, char **argv)
{
    const MPI_Op all[] = { MPI_MAX, MPI_MIN, MPI_SUM,  MPI_PROD, MPI_LAND,   MPI_BAND,
                           MPI_LOR, MPI_BOR, MPI_LXOR, MPI_BXOR, MPI_MINLOC, MPI_MAXLOC };
    int commutes;

    MPI_Init(&argc, &argv);
    test_predefined(0);
    test_predefined(1);
    test_predefined(5003);
    test_users(1);
    test_users(5003);
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
        commutes = 0;
        CHECK(MPI_Op_commutative(all[i], &commutes) == MPI_SUCCESS);
        CHECK(commutes != 0);
    }
    CHECK(MPI_Reduce_local(NULL, NULL, 0, MPI_INT, MPI_SUM) == MPI_SUCCESS); /* C12 */
    MPI_Finalize();
    return 0;
}
