/* values.c — G11: an attribute is there until it is deleted or replaced, each key on its own, and
 * the delete function is called for each value that goes. */
#include "kinds.h"

static void one(enum kind kind)
{
    struct object o = make_object(kind);
    struct key k = { 0 };

    make_key(kind, &k);
    CHECK(get(o, k.keyval) == NULL);
    CHECK_INT(set(o, k.keyval, values), MPI_SUCCESS);
    CHECK(get(o, k.keyval) == values);
    CHECK_INT(k.deletes, 0);
    CHECK_INT(set(o, k.keyval, values + 1), MPI_SUCCESS);
    CHECK_INT(k.deletes, 1); /* the old value is deleted first */
    CHECK(k.value == values && same(k.seen, o));
    CHECK(get(o, k.keyval) == values + 1);
    CHECK_INT(unset(o, k.keyval), MPI_SUCCESS);
    CHECK_INT(k.deletes, 2);
    CHECK(k.value == values + 1 && same(k.seen, o));
    CHECK(get(o, k.keyval) == NULL);
    CHECK_INT(k.copies, 0);
    CHECK_INT(free_key(kind, &k.keyval), MPI_SUCCESS);
    CHECK(k.keyval == MPI_KEYVAL_INVALID);
    free_object(&o);
}

static void many(enum kind kind)
{
    enum { MANY = 40 };
    struct object a = make_object(kind), b = make_object(kind);
    static char memory[MANY];
    struct key k[MANY] = { 0 };

    for (int i = 0; i < MANY; i++) {
        make_key(kind, &k[i]);
        CHECK_INT(set(i % 2 ? a : b, k[i].keyval, memory + i), MPI_SUCCESS);
    }
    for (int i = 0; i < MANY; i++) {
        CHECK(get(i % 2 ? a : b, k[i].keyval) == memory + i);
        CHECK(get(i % 2 ? b : a, k[i].keyval) == NULL);
    }
    for (int i = 0; i < MANY; i += 3)
        CHECK_INT(unset(i % 2 ? a : b, k[i].keyval), MPI_SUCCESS);
    for (int i = 0; i < MANY; i++) {
        CHECK(get(i % 2 ? a : b, k[i].keyval) == (i % 3 ? memory + i : NULL));
        CHECK_INT(k[i].deletes, i % 3 == 0);
        if (i % 3)
            CHECK_INT(unset(i % 2 ? a : b, k[i].keyval), MPI_SUCCESS);
        free_key(kind, &k[i].keyval);
    }
    free_object(&a);
    free_object(&b);
}

/* NULL is a value; the null functions do nothing. */
static void null(void)
{
    int comm_key, type_key, flag = 0;
    void *value = values;

    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &comm_key, NULL);
    MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN, &type_key, NULL);
    CHECK_INT(MPI_Comm_set_attr(MPI_COMM_WORLD, comm_key, NULL), MPI_SUCCESS);
    CHECK_INT(MPI_Comm_get_attr(MPI_COMM_WORLD, comm_key, &value, &flag), MPI_SUCCESS);
    CHECK(flag && !value);
    CHECK_INT(MPI_Comm_delete_attr(MPI_COMM_WORLD, comm_key), MPI_SUCCESS);
    CHECK_INT(MPI_Type_set_attr(MPI_INT, type_key, values), MPI_SUCCESS); /* predefined ones too */
    CHECK_INT(MPI_Type_get_attr(MPI_INT, type_key, &value, &flag), MPI_SUCCESS);
    CHECK(flag && value == values);
    CHECK_INT(MPI_Type_get_attr(MPI_UNSIGNED, type_key, &value, &flag), MPI_SUCCESS);
    CHECK(!flag);
    MPI_Comm_free_keyval(&comm_key);
    MPI_Type_free_keyval(&type_key); /* the value stays until MPI_Finalize */
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    for (enum kind kind = COMM; kind < KINDS; kind++) {
        one(kind);
        many(kind);
    }
    null();
    MPI_Finalize();
    return 0;
}
