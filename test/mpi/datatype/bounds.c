/* bounds.c — size and extent of contiguous types and vectors: D02 negative strides, D04 empty
 * blocks, D06 what types that are not committed may do, D08 sizes that do not fit an int. */
#include <limits.h>
#include "../env/starling.h"

static void check(MPI_Datatype type, int size, MPI_Aint lb, MPI_Aint extent)
{
    MPI_Aint l = -1, e = -1;
    int s = -1;

    MPI_Type_size(type, &s);
    CHECK_INT(s, size);
    MPI_Type_get_extent(type, &l, &e);
    CHECK_INT(l, lb);
    CHECK_INT(e, extent);
}

static void check_vector(int count, int blocklength, int stride, MPI_Aint lb, MPI_Aint extent)
{
    MPI_Datatype type;

    MPI_Type_vector(count, blocklength, stride, MPI_INT, &type);
    check(type, count * blocklength * 4, lb, extent);
    MPI_Type_commit(&type);
    MPI_Type_commit(&type); /* a second commit has no effect */
    check(type, count * blocklength * 4, lb, extent);
    MPI_Type_free(&type);
    CHECK(type == MPI_DATATYPE_NULL);
}

static void vectors(void)
{
    check_vector(3, 2, 5, 0, 48);
    check_vector(3, 2, 2, 0, 24);
    check_vector(3, 2, 1, 0, 16); /* blocks overlap */
    check_vector(3, 2, 0, 0, 8);
    check_vector(3, 2, -5, -40, 48);
    check_vector(3, 2, -1, -8, 16);
    check_vector(1, 7, 100, 0, 28);
    check_vector(0, 7, 100, 0, 0);
    if (starling()) /* the standard does not define the bounds of empty types */
        check_vector(7, 0, 100, 0, 0);
}

/* The second level counts in extents of the first, holes included. */
static void nested(void)
{
    MPI_Datatype vector, three, strided;

    MPI_Type_vector(2, 1, 3, MPI_DOUBLE, &vector); /* 4 doubles long */
    check(vector, 16, 0, 32);
    MPI_Type_contiguous(3, vector, &three);
    check(three, 48, 0, 96);
    MPI_Type_vector(2, 1, -2, three, &strided);
    check(strided, 96, -192, 288);
    MPI_Type_free(&vector); /* the other types live on (D06) */
    MPI_Type_free(&three);
    check(strided, 96, -192, 288);
    MPI_Type_free(&strided);
}

static void large(void)
{
    MPI_Datatype million, huge, nothing;
    MPI_Aint lb, extent;
    int size = 0;

    MPI_Type_contiguous(1000000, MPI_DOUBLE, &million);
    MPI_Type_contiguous(1000, million, &huge);
    MPI_Type_size(huge, &size);
    CHECK_INT(size, MPI_UNDEFINED);
    MPI_Type_get_extent(huge, &lb, &extent);
    CHECK_INT(lb, 0);
    CHECK_INT(extent, 8000000000LL);
    MPI_Type_free(&huge);
    MPI_Type_vector(2, 1, INT_MIN, million, &huge);
    MPI_Type_get_extent(huge, &lb, &extent);
    CHECK_INT(lb, 8000000LL * INT_MIN);
    CHECK_INT(extent, -8000000LL * INT_MIN + 8000000);
    MPI_Type_free(&huge);
    MPI_Type_free(&million);
    MPI_Type_contiguous(0, MPI_INT, &nothing);
    check(nothing, 0, 0, 0);
    MPI_Type_free(&nothing);
}

static void predefined(void)
{
    struct {
        short value;
        int index;
    } pair;

    check(MPI_CHAR, 1, 0, 1);
    check(MPI_DOUBLE, 8, 0, 8);
    check(MPI_LONG_DOUBLE, sizeof(long double), 0, sizeof(long double));
    check(MPI_SHORT_INT, 6, 0, sizeof pair);   /* D15: with a hole */
    CHECK(MPI_LONG_LONG == MPI_LONG_LONG_INT); /* D13 */
    CHECK(MPI_C_COMPLEX == MPI_C_FLOAT_COMPLEX);
}

static void errors(void)
{
    MPI_Datatype type = MPI_INT;

    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    CHECK(MPI_Type_contiguous(-1, MPI_INT, &type) != MPI_SUCCESS);
    CHECK(MPI_Type_vector(-1, 1, 1, MPI_INT, &type) != MPI_SUCCESS);
    CHECK(MPI_Type_vector(1, -1, 1, MPI_INT, &type) != MPI_SUCCESS);
    CHECK_INT(error_class(MPI_Type_contiguous(1, MPI_DATATYPE_NULL, &type)), MPI_ERR_TYPE);
    type = MPI_INT;
    CHECK_INT(error_class(MPI_Type_free(&type)), MPI_ERR_TYPE); /* D06: predefined */
    CHECK(type == MPI_INT);
    type = MPI_DATATYPE_NULL;
    CHECK_INT(error_class(MPI_Type_free(&type)), MPI_ERR_TYPE);
    CHECK_INT(error_class(MPI_Type_commit(&type)), MPI_ERR_TYPE);
    if (!starling())
        return;
    CHECK_INT(error_class(MPI_Type_contiguous(-1, MPI_INT, &type)), MPI_ERR_COUNT);
    CHECK_INT(error_class(MPI_Type_vector(-1, 1, 1, MPI_INT, &type)), MPI_ERR_COUNT);
    CHECK_INT(error_class(MPI_Type_vector(1, -1, 1, MPI_INT, &type)), MPI_ERR_COUNT);
    CHECK_INT(error_class(MPI_Type_contiguous(1, MPI_INT, NULL)), MPI_ERR_ARG);
    CHECK_INT(error_class(MPI_Type_size(MPI_INT, NULL)), MPI_ERR_ARG);
    type = MPI_DOUBLE_INT;
    CHECK_INT(error_class(MPI_Type_free(&type)), MPI_ERR_TYPE);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    vectors();
    nested();
    large();
    predefined();
    errors();
    MPI_Finalize();
    return 0;
}
