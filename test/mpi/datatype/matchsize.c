/* matchsize.c — D12: MPI_Type_match_size gives the named type of a class and size, MPI_ERR_ARG for
 * others. */
#include <stdbool.h>
#include "../env/starling.h"

static void check(int typeclass, int size, int exists)
{
    MPI_Datatype type = MPI_DATATYPE_NULL;
    int got = -1, ints, aints, types, combiner;
    int code = MPI_Type_match_size(typeclass, size, &type);

    if (!exists) {
        CHECK_INT(error_class(code), MPI_ERR_ARG);
        CHECK(type == MPI_DATATYPE_NULL);
        return;
    }
    CHECK_INT(code, MPI_SUCCESS);
    MPI_Type_size(type, &got);
    CHECK_INT(got, size);
    MPI_Type_get_envelope(type, &ints, &aints, &types, &combiner);
    CHECK_INT(combiner, MPI_COMBINER_NAMED);
    CHECK(MPI_Type_free(&type) != MPI_SUCCESS); /* not a duplicate */
}

/* Values of the type compare and add as its class requires. */
static void use(void)
{
    MPI_Datatype real, integer;
    double d = 0.5, sum = 0;
    long long l = 1LL << 40, most = 0;
    int size;

    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Type_match_size(MPI_TYPECLASS_REAL, 8, &real);
    MPI_Type_match_size(MPI_TYPECLASS_INTEGER, 8, &integer);
    MPI_Allreduce(&d, &sum, 1, real, MPI_SUM, MPI_COMM_WORLD);
    CHECK(sum == 0.5 * size);
    MPI_Allreduce(&l, &most, 1, integer, MPI_MAX, MPI_COMM_WORLD);
    CHECK(most == l);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int size = -1; size <= 64; size++) {
        check(MPI_TYPECLASS_REAL, size, size == 4 || size == 8 || size == 16);
        check(MPI_TYPECLASS_COMPLEX, size, size == 8 || size == 16 || size == 32);
        bool sixteen = size == 16 && MPI_INTEGER16 != MPI_DATATYPE_NULL;
        check(MPI_TYPECLASS_INTEGER, size,
              size == 1 || size == 2 || size == 4 || size == 8 || sixteen);
    }
    check(0, 4, 0);
    check(77, 4, 0);
    check(MPI_UNDEFINED, 4, 0);
    use();
    MPI_Finalize();
    return 0;
}
