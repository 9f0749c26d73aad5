/* keys.c — I01, I03: keys and values are returned unchanged, case matters, any key is stored; a
 * missing key leaves the buffer for its value unchanged. */
#include "info_test.h"

static void set_and_get(void)
{
    MPI_Info info = MPI_INFO_NULL, other;

    CHECK_INT(MPI_Info_create(&info), MPI_SUCCESS);
    CHECK(info != MPI_INFO_NULL);
    CHECK_INT(nkeys(info), 0);
    has_not(info, "host");
    MPI_Info_create(&other);
    CHECK_INT(MPI_Info_set(info, "host", "a.example"), MPI_SUCCESS);
    CHECK_INT(MPI_Info_set(info, "HOST", "another"), MPI_SUCCESS);
    CHECK_INT(MPI_Info_set(info, "not a key of the library", "a b, c=d"), MPI_SUCCESS);
    CHECK_INT(MPI_Info_set(info, "spaces", " around "), MPI_SUCCESS); /* only Fortran's are cut */
    CHECK_INT(nkeys(info), 4);
    has(info, "host", "a.example");
    has(info, "HOST", "another");
    has(info, "not a key of the library", "a b, c=d");
    has(info, "spaces", " around ");
    has_not(info, "Host");
    has_not(other, "host");
    CHECK_INT(MPI_Info_set(info, "host", "b"), MPI_SUCCESS);
    CHECK_INT(nkeys(info), 4);
    has(info, "host", "b");
    CHECK_INT(MPI_Info_delete(info, "HOST"), MPI_SUCCESS);
    CHECK_INT(nkeys(info), 3);
    has_not(info, "HOST");
    has(info, "host", "b");
    CHECK_INT(MPI_Info_free(&info), MPI_SUCCESS);
    CHECK(info == MPI_INFO_NULL);
    MPI_Info_free(&other);
}

/* The object holds copies of its own. */
static void copies(void)
{
    char key[] = "key", value[] = "value";
    MPI_Info info;

    MPI_Info_create(&info);
    MPI_Info_set(info, key, value);
    key[0] = value[0] = 'X';
    has(info, "key", "value");
    has_not(info, key);
    MPI_Info_free(&info);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    set_and_get();
    copies();
    MPI_Finalize();
    return 0;
}
