/* packing_errors.c — packed buffers that are too small: MPI_ERR_TRUNCATE, and nothing is written
 * (D10, D11). MPICH 4.0 fails: it does not check the size. */
#include <limits.h>
#include "mpitest.h"

static int class_of(int err)
{
    int errclass;

    MPI_Error_class(err, &errclass);
    return errclass;
}

static void says(int err, const char *part)
{
    char text[MPI_MAX_ERROR_STRING];
    int len;

    MPI_Error_string(err, text, &len);
    CHECK(strstr(text, part));
}

static void native(MPI_Datatype type, int count, int len)
{
    char data[64] = "", packed[64];

    for (int size = 3; size < 3 + len; size++) {
        int at = 3, err;
        memset(packed, '#', sizeof packed);
        err = MPI_Pack(data, count, type, packed, size, &at, MPI_COMM_WORLD);
        CHECK_INT(class_of(err), MPI_ERR_TRUNCATE);
        says(err, "position 3");
        CHECK_INT(at, 3);
        for (int i = 0; i < 64; i++)
            CHECK_INT(packed[i], '#');
        err = MPI_Unpack(data, size, &at, packed, count, type, MPI_COMM_WORLD);
        CHECK_INT(class_of(err), MPI_ERR_TRUNCATE);
        CHECK_INT(at, 3);
        for (int i = 0; i < 64; i++)
            CHECK_INT(packed[i], '#');
    }
}

static void external(MPI_Datatype type, int count)
{
    char data[64] = "", packed[64];
    MPI_Aint len, at = 3;

    MPI_Pack_external_size("external32", count, type, &len);
    for (MPI_Aint size = 3; size < 3 + len; size++) {
        memset(packed, '#', sizeof packed);
        CHECK_INT(class_of(MPI_Pack_external("external32", data, count, type, packed, size, &at)),
                  MPI_ERR_TRUNCATE);
        CHECK_INT(class_of(MPI_Unpack_external("external32", data, size, &at, packed, count, type)),
                  MPI_ERR_TRUNCATE);
        CHECK_INT(at, 3);
        for (int i = 0; i < 64; i++)
            CHECK_INT(packed[i], '#');
    }
}

static void other_representations(void)
{
    const char *other[] = { "native", "internal", "external", "external320", "" };
    char packed[8];
    MPI_Aint at = 0, size;
    int x = 0;

    for (int i = 0; i < 5; i++) {
        int err = MPI_Pack_external(other[i], &x, 1, MPI_INT, packed, 8, &at);
        CHECK_INT(class_of(err), MPI_ERR_UNSUPPORTED_DATAREP);
        says(err, other[i]);
        CHECK_INT(class_of(MPI_Unpack_external(other[i], packed, 8, &at, &x, 1, MPI_INT)),
                  MPI_ERR_UNSUPPORTED_DATAREP);
        CHECK_INT(class_of(MPI_Pack_external_size(other[i], 1, MPI_INT, &size)),
                  MPI_ERR_UNSUPPORTED_DATAREP);
    }
}

static void positions(void)
{
    char packed[8];
    int x = 0, at = 9;
    MPI_Aint far = 9;

    CHECK_INT(class_of(MPI_Pack(&x, 0, MPI_INT, packed, 8, &at, MPI_COMM_WORLD)), MPI_ERR_ARG);
    CHECK_INT(class_of(MPI_Unpack(packed, 8, &at, &x, 0, MPI_INT, MPI_COMM_WORLD)), MPI_ERR_ARG);
    CHECK_INT(class_of(MPI_Pack_external("external32", &x, 0, MPI_INT, packed, 8, &far)),
              MPI_ERR_ARG);
    CHECK_INT(class_of(MPI_Unpack_external("external32", packed, 8, &far, &x, 0, MPI_INT)),
              MPI_ERR_ARG);
}

/* Sizes that do not fit (D08). */
static void large_sizes(void)
{
    MPI_Datatype large;
    MPI_Aint len;
    int size;

    MPI_Pack_size(INT_MAX / 4, MPI_INT, MPI_COMM_SELF, &size);
    CHECK_INT(size, INT_MAX / 4 * 4);
    MPI_Pack_size(INT_MAX / 4 + 1, MPI_INT, MPI_COMM_SELF, &size);
    CHECK_INT(size, MPI_UNDEFINED);
    MPI_Type_contiguous(INT_MAX, MPI_DOUBLE, &large);
    MPI_Pack_size(1, large, MPI_COMM_SELF, &size);
    CHECK_INT(size, MPI_UNDEFINED);
    MPI_Pack_external_size("external32", 3, large, &len);
    CHECK_INT(len, 24LL * INT_MAX);
    MPI_Pack_external_size("external32", INT_MAX, large, &len);
    CHECK_INT(len, MPI_UNDEFINED); /* 2^65 */
    MPI_Type_free(&large);
}

int main(int argc, char **argv)
{
    MPI_Datatype vector;

    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Type_vector(3, 1, 2, MPI_SHORT, &vector);
    MPI_Type_commit(&vector);
    native(MPI_INT, 2, 8);
    native(MPI_DOUBLE_INT, 2, 24);
    native(vector, 2, 12);
    external(MPI_INT, 2);
    external(MPI_DOUBLE_INT, 2);
    external(vector, 2);
    other_representations();
    positions();
    large_sizes();
    MPI_Type_free(&vector);
    MPI_Finalize();
    return 0;
}
