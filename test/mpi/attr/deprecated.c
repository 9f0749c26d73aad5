/* deprecated.c — the functions of MPI-1 do what those for communicators do, with the same keys
 * (§15.1). */
#include "mpitest.h"

static char value, other;
static int deletes;

static int delete_fn(MPI_Comm comm, int keyval, void *v, void *extra)
{
    CHECK(comm == MPI_COMM_WORLD && keyval != MPI_KEYVAL_INVALID);
    CHECK(v == &value && extra == &other);
    deletes++;
    return MPI_SUCCESS;
}

int main(int argc, char **argv)
{
    int key, dup_key, null_key, flag = -1;
    void *got = NULL;
    int *ub;

    MPI_Init(&argc, &argv);
    CHECK_INT(MPI_Keyval_create(MPI_NULL_COPY_FN, delete_fn, &key, &other), MPI_SUCCESS);
    CHECK_INT(MPI_Keyval_create(MPI_DUP_FN, MPI_NULL_DELETE_FN, &dup_key, NULL), MPI_SUCCESS);
    CHECK_INT(MPI_Keyval_create(MPI_NULL_COPY_FN, MPI_NULL_DELETE_FN, &null_key, NULL),
              MPI_SUCCESS);
    CHECK_INT(MPI_Attr_get(MPI_COMM_WORLD, key, &got, &flag), MPI_SUCCESS);
    CHECK(!flag && !got);
    CHECK_INT(MPI_Attr_put(MPI_COMM_WORLD, key, &value), MPI_SUCCESS);
    CHECK_INT(MPI_Attr_put(MPI_COMM_WORLD, dup_key, &other), MPI_SUCCESS);
    CHECK_INT(MPI_Attr_get(MPI_COMM_WORLD, key, &got, &flag), MPI_SUCCESS);
    CHECK(flag && got == &value);
    CHECK_INT(MPI_Comm_get_attr(MPI_COMM_WORLD, dup_key, &got, &flag), MPI_SUCCESS);
    CHECK(flag && got == &other);
    CHECK_INT(MPI_Attr_delete(MPI_COMM_WORLD, key), MPI_SUCCESS);
    CHECK_INT(deletes, 1);
    CHECK_INT(MPI_Attr_get(MPI_COMM_WORLD, key, &got, &flag), MPI_SUCCESS);
    CHECK(!flag);
    CHECK_INT(MPI_Comm_set_attr(MPI_COMM_WORLD, key, &value), MPI_SUCCESS);
    CHECK_INT(MPI_Attr_put(MPI_COMM_WORLD, key, &value), MPI_SUCCESS);
    CHECK_INT(deletes, 2);
    CHECK_INT(MPI_Attr_delete(MPI_COMM_WORLD, key), MPI_SUCCESS);
    CHECK_INT(MPI_Attr_delete(MPI_COMM_WORLD, dup_key), MPI_SUCCESS);
    CHECK_INT(MPI_Attr_get(MPI_COMM_WORLD, MPI_TAG_UB, &ub, &flag), MPI_SUCCESS);
    CHECK(flag && *ub >= 32767);
    CHECK_INT(MPI_Keyval_free(&key), MPI_SUCCESS);
    CHECK(key == MPI_KEYVAL_INVALID);
    CHECK_INT(MPI_Comm_free_keyval(&dup_key), MPI_SUCCESS);
    CHECK_INT(MPI_Keyval_free(&null_key), MPI_SUCCESS);
    CHECK_INT(deletes, 3);
    MPI_Finalize();
    return 0;
}
