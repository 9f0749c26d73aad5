/* errors.c — G11, G13: keys of another kind, freed keys, numbers that are no keys, and changes of
 * predefined attributes are MPI_ERR_KEYVAL. MPICH 4.0 fails: it believes numbers and freed keys. */
#include "../env/starling.h"
#include "kinds.h"

static void no_key(int keyval)
{
    struct object type = { TYPE, MPI_COMM_NULL, MPI_INT };
    void *value;
    int flag;

    CHECK_INT(error_class(MPI_Comm_set_attr(MPI_COMM_SELF, keyval, values)), MPI_ERR_KEYVAL);
    CHECK_INT(error_class(MPI_Comm_delete_attr(MPI_COMM_SELF, keyval)), MPI_ERR_KEYVAL);
    CHECK_INT(error_class(set(type, keyval, values)), MPI_ERR_KEYVAL);
    CHECK_INT(error_class(unset(type, keyval)), MPI_ERR_KEYVAL);
    CHECK_INT(error_class(MPI_Type_get_attr(MPI_INT, keyval, &value, &flag)), MPI_ERR_KEYVAL);
    CHECK_INT(error_class(MPI_Comm_free_keyval(&keyval)), MPI_ERR_KEYVAL);
    CHECK_INT(error_class(MPI_Type_free_keyval(&keyval)), MPI_ERR_KEYVAL);
    CHECK_INT(error_class(MPI_Win_free_keyval(&keyval)), MPI_ERR_KEYVAL);
}

static void no_key_to_get(int keyval)
{
    void *value;
    int flag;

    CHECK_INT(error_class(MPI_Comm_get_attr(MPI_COMM_SELF, keyval, &value, &flag)), MPI_ERR_KEYVAL);
    no_key(keyval);
}

static void other_kinds(void)
{
    int comm_key, type_key, win_key, flag;
    void *value;

    MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &comm_key, NULL);
    MPI_Type_create_keyval(MPI_TYPE_DUP_FN, MPI_TYPE_NULL_DELETE_FN, &type_key, NULL);
    MPI_Win_create_keyval(MPI_WIN_DUP_FN, MPI_WIN_NULL_DELETE_FN, &win_key, NULL);
    CHECK_INT(error_class(MPI_Comm_set_attr(MPI_COMM_SELF, type_key, values)), MPI_ERR_KEYVAL);
    CHECK_INT(error_class(MPI_Type_set_attr(MPI_INT, comm_key, values)), MPI_ERR_KEYVAL);
    CHECK_INT(error_class(MPI_Comm_get_attr(MPI_COMM_SELF, win_key, &value, &flag)),
              MPI_ERR_KEYVAL);
    CHECK_INT(error_class(MPI_Type_free_keyval(&comm_key)), MPI_ERR_KEYVAL);
    CHECK_INT(error_class(MPI_Win_free_keyval(&type_key)), MPI_ERR_KEYVAL);
    CHECK_INT(error_class(MPI_Comm_free_keyval(&win_key)), MPI_ERR_KEYVAL);
    CHECK_INT(MPI_Comm_free_keyval(&comm_key), MPI_SUCCESS);
    CHECK_INT(MPI_Type_free_keyval(&type_key), MPI_SUCCESS);
    CHECK_INT(MPI_Win_free_keyval(&win_key), MPI_SUCCESS);
}

/* The attribute of a freed key can be read and deleted where it is set, but the key cannot be used
 * to set. Freeing it again changes nothing, as in MPICH, until its last attribute is gone. */
static void freed(void)
{
    struct key k = { 0 };
    int again, flag;
    void *value;

    make_key(COMM, &k);
    int kept = again = k.keyval;
    MPI_Comm_free_keyval(&again);
    no_key_to_get(kept);

    make_key(COMM, &k);
    kept = again = k.keyval;
    MPI_Comm_set_attr(MPI_COMM_SELF, kept, values);
    MPI_Comm_free_keyval(&again);
    again = kept;
    CHECK_INT(MPI_Comm_free_keyval(&again), MPI_SUCCESS);
    CHECK_INT(again, MPI_KEYVAL_INVALID);
    CHECK_INT(error_class(MPI_Comm_set_attr(MPI_COMM_SELF, kept, values)), MPI_ERR_KEYVAL);
    CHECK_INT(error_class(MPI_Comm_get_attr(MPI_COMM_WORLD, kept, &value, &flag)), MPI_ERR_KEYVAL);
    CHECK_INT(error_class(MPI_Comm_delete_attr(MPI_COMM_WORLD, kept)), MPI_ERR_KEYVAL);
    CHECK_INT(k.deletes, 0);
    CHECK_INT(MPI_Comm_delete_attr(MPI_COMM_SELF, kept), MPI_SUCCESS);
    CHECK_INT(k.deletes, 1);
    no_key_to_get(kept);
}

static void predefined(void)
{
    static const int keys[] = { MPI_TAG_UB,        MPI_HOST,         MPI_IO,    MPI_WTIME_IS_GLOBAL,
                                MPI_UNIVERSE_SIZE, MPI_LASTUSEDCODE, MPI_APPNUM };

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        no_key(keys[i]);
        no_key_to_get(keys[i] + 1); /* a predefined key of Fortran */
    }
    no_key_to_get(MPI_TAG_UB - 2);
    no_key_to_get(MPI_APPNUM + 2);
    no_key_to_get(MPI_WIN_BASE);
    no_key_to_get(MPI_KEYVAL_INVALID);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    other_kinds();
    freed();
    predefined();
    MPI_Finalize();
    return 0;
}
