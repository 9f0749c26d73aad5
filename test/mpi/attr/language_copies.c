/* language_copies.c — copy and delete functions get a value as their language reads it, and make
 * one of their language; the predefined functions keep value and kind. */
#include "integers.h"

#define BIG ((MPI_Aint) 0x100000007LL)

/* A language whose functions take integers. The functions are of this type, cast. */
typedef int integer_function(int object, int key, MPI_Aint extra, MPI_Aint in, MPI_Aint *out,
                             int *flag);

static int call_copy(MPI_Comm_copy_attr_function *f, const struct adi3_attribute *a, void **out,
                     int *flag)
{
    MPI_Aint made = -1;
    int err = ((integer_function *) (void (*)(void)) f)(a->object, a->keyval, (MPI_Aint) a->extra,
                                                        (MPI_Aint) a->value, &made, flag);

    *out = (void *) made;
    return err;
}

static int call_delete(MPI_Comm_delete_attr_function *f, const struct adi3_attribute *a)
{
    return ((integer_function *) (void (*)(void)) f)(a->object, a->keyval, (MPI_Aint) a->extra,
                                                     (MPI_Aint) a->value, NULL, NULL);
}

static const struct adi3_language addresses = { .attributes = ADI3_ADDRESS,
                                                .copy_attr = call_copy,
                                                .delete_attr = call_delete };
static const struct adi3_language integers = { .attributes = ADI3_INTEGER,
                                               .copy_attr = call_copy,
                                               .delete_attr = call_delete };

static MPI_Aint seen, deleted, extra_seen;
static void *seen_by_c, *given_by_c;
static int deletes;

static int copies(int object, int key, MPI_Aint extra, MPI_Aint in, MPI_Aint *out, int *flag)
{
    (void) object, (void) key;
    seen = in;
    extra_seen = extra;
    *out = in + BIG;
    *flag = 1;
    return MPI_SUCCESS;
}

static int deletes_it(int object, int key, MPI_Aint extra, MPI_Aint in, MPI_Aint *out, int *flag)
{
    (void) object, (void) key, (void) extra, (void) out, (void) flag;
    deleted = in;
    deletes++;
    return MPI_SUCCESS;
}

#define COPY   ((MPI_Comm_copy_attr_function *) (void (*)(void)) copies)
#define DELETE ((MPI_Comm_delete_attr_function *) (void (*)(void)) deletes_it)

static int c_copies(MPI_Comm c, int key, void *extra, void *in, void *out, int *flag)
{
    (void) c, (void) key, (void) extra;
    seen_by_c = in;
    *(void **) out = given_by_c ? given_by_c : in;
    *flag = 1;
    return MPI_SUCCESS;
}

static int c_deletes(MPI_Comm c, int key, void *in, void *extra)
{
    (void) c, (void) key, (void) extra;
    deleted = *(int *) in;
    return MPI_SUCCESS;
}

static void by_addresses(enum mpir_object o, int handle)
{
    int key = make_key(o, COPY, DELETE, (void *) -9, &addresses), dup;
    static int word;

    set_address(o, handle, key, BIG);
    set_address(o, handle, key, BIG + 1);
    CHECK(deletes == 1 && deleted == BIG); /* the old value */
    CHECK_INT(dup_object(o, handle, &dup), MPI_SUCCESS);
    CHECK(seen == BIG + 1 && extra_seen == -9);
    CHECK_INT(*(MPI_Aint *) pointer_of(o, dup, key), 2 * BIG + 1);
    CHECK_INT(*(MPI_Aint *) pointer_of(o, handle, key), BIG + 1);
    CHECK_INT(free_object(o, &dup), MPI_SUCCESS);
    CHECK(deletes == 2 && deleted == 2 * BIG + 1);

    set_pointer(o, handle, key, &word); /* a pointer is an address in Fortran */
    CHECK(deletes == 3 && deleted == BIG + 1);
    dup_object(o, handle, &dup);
    CHECK_INT(seen, (MPI_Aint) &word);
    CHECK_INT(*(MPI_Aint *) pointer_of(o, dup, key), (MPI_Aint) &word + BIG);
    free_object(o, &dup);
    set_integer(o, handle, key, -3);
    CHECK_INT(deleted, (MPI_Aint) &word);
    dup_object(o, handle, &dup);
    CHECK_INT(seen, -3);
    CHECK_INT(*(MPI_Aint *) pointer_of(o, dup, key), BIG - 3);
    free_object(o, &dup);
    unset(o, handle, key);
    CHECK_INT(deleted, -3);
    free_key(o, &key);
    deletes = 0;
}

static void by_integers(enum mpir_object o, int handle)
{
    int key = make_key(o, COPY, DELETE, NULL, &integers), dup;

    set_address(o, handle, key, BIG);
    dup_object(o, handle, &dup);
    CHECK_INT(seen, 7);                              /* the least significant part */
    CHECK_INT(*(int *) pointer_of(o, dup, key), 14); /* of what it made, too */
    CHECK_INT(address_of(o, dup, key), 14);
    free_object(o, &dup);
    CHECK_INT(deleted, 14);
    set_address(o, handle, key, 0xfffffffeLL);
    CHECK_INT(deleted, 7);
    unset(o, handle, key);
    CHECK_INT(deleted, -2);
    free_key(o, &key);
    deletes = 0;
}

static void by_c(enum mpir_object o, int handle)
{
    int key = make_key(o, c_copies, c_deletes, NULL, NULL), dup;
    static int other = 40;

    set_integer(o, handle, key, 17);
    int *mine = pointer_of(o, handle, key);
    dup_object(o, handle, &dup);
    CHECK(seen_by_c == mine && pointer_of(o, dup, key) != mine); /* own memory, the same integer */
    CHECK_INT(*(int *) pointer_of(o, dup, key), 17);
    CHECK_INT(address_of(o, dup, key), 17);
    unset(o, handle, key);
    CHECK_INT(deleted, 17);
    CHECK_INT(*(int *) pointer_of(o, dup, key), 17);
    free_object(o, &dup);

    set_integer(o, handle, key, 18);
    given_by_c = &other;
    dup_object(o, handle, &dup);
    CHECK(pointer_of(o, dup, key) == &other);
    CHECK_INT(address_of(o, dup, key), (MPI_Aint) &other);
    free_object(o, &dup);
    CHECK_INT(deleted, 40);
    given_by_c = NULL;
    unset(o, handle, key);
    free_key(o, &key);
}

/* MPI_COMM_DUP_FN and its kin, for a key of each language. */
static void by_dup_fn(enum mpir_object o, int handle, const struct adi3_language *row)
{
    int key = make_key(o, MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, NULL, row), dup;
    static char here;

    set_pointer(o, handle, key, &here);
    dup_object(o, handle, &dup);
    CHECK(pointer_of(o, dup, key) == &here);
    free_object(o, &dup);
    set_integer(o, handle, key, -1);
    dup_object(o, handle, &dup);
    CHECK_INT(*(int *) pointer_of(o, dup, key), -1);
    CHECK(pointer_of(o, dup, key) != pointer_of(o, handle, key));
    free_object(o, &dup);
    set_address(o, handle, key, BIG);
    dup_object(o, handle, &dup);
    unset(o, handle, key);
    CHECK_INT(*(MPI_Aint *) pointer_of(o, dup, key), BIG);
    CHECK_INT(address_of(o, dup, key), BIG);
    free_object(o, &dup);
    free_key(o, &key);
}

static void by_null_fn(enum mpir_object o, int handle)
{
    int key = make_key(o, MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, NULL, &addresses), dup;
    int flag = 1;

    set_address(o, handle, key, BIG);
    dup_object(o, handle, &dup);
    (void) get_address(o, dup, key, &flag);
    CHECK_INT(flag, 0);
    free_object(o, &dup);
    unset(o, handle, key);
    free_key(o, &key);
}

int main(int argc, char **argv)
{
    int invalid = MPI_KEYVAL_INVALID;

    MPI_Init(&argc, &argv);
    for (enum mpir_object o = MPIR_ON_COMM; o <= MPIR_ON_TYPE; o++) {
        int handle = make_object(o);
        by_addresses(o, handle);
        by_integers(o, handle);
        by_c(o, handle);
        by_dup_fn(o, handle, NULL);
        by_dup_fn(o, handle, &addresses);
        by_dup_fn(o, handle, &integers);
        by_null_fn(o, handle);
        free_object(o, &handle);
    }
    int key = make_key(MPIR_ON_TYPE, NULL, NULL, NULL, NULL), err;
    MPI_Error_class(MPIR_Keyval_set_language(MPIR_ON_COMM, key, &addresses), &err);
    CHECK_INT(err, MPI_ERR_KEYVAL);
    MPI_Error_class(MPIR_Keyval_set_language(MPIR_ON_COMM, invalid, &addresses), &err);
    CHECK_INT(err, MPI_ERR_KEYVAL);
    free_key(MPIR_ON_TYPE, &key);
    MPI_Finalize();
    return 0;
}
