/* languages.c — an attribute set as pointer, INTEGER or ADDRESS-kind integer, and read by each
 * language (§17.2.7): the 12 cases of the standard, predefined attributes included. */
#include "integers.h"

#define BIG ((MPI_Aint) 0x7123456789abcdefLL)

/* What the deprecated MPI_ATTR_GET of Fortran returns. */
static int integer_of(enum mpir_object o, int handle, int key)
{
    return (int) address_of(o, handle, key);
}

static void user_set(enum mpir_object o, int handle, int key)
{
    static char here;

    CHECK_INT(set_pointer(o, handle, key, &here), MPI_SUCCESS);
    CHECK(pointer_of(o, handle, key) == &here);
    CHECK_INT(address_of(o, handle, key), (MPI_Aint) &here);
    CHECK_INT(integer_of(o, handle, key), (int) (MPI_Aint) &here);
    set_pointer(o, handle, key, (void *) BIG);
    CHECK_INT(integer_of(o, handle, key), (int) 0x89abcdef);

    CHECK_INT(set_integer(o, handle, key, -5), MPI_SUCCESS);
    int *i = pointer_of(o, handle, key);
    CHECK_INT(*i, -5);
    CHECK(pointer_of(o, handle, key) == i);    /* it stays where it is */
    CHECK_INT(address_of(o, handle, key), -5); /* the sign is extended */
    CHECK_INT(integer_of(o, handle, key), -5);

    CHECK_INT(set_address(o, handle, key, BIG), MPI_SUCCESS);
    MPI_Aint *a = pointer_of(o, handle, key);
    CHECK_INT(*a, BIG);
    CHECK_INT(address_of(o, handle, key), BIG);
    CHECK_INT(integer_of(o, handle, key), (int) 0x89abcdef);

    /* An integer that is the address of a variable is no announced one. */
    MPI_Aint other = 4;
    CHECK_INT(set_pointer(o, handle, key, &other), MPI_SUCCESS);
    CHECK_INT(address_of(o, handle, key), (MPI_Aint) &other);
    MPI_Aint announced = 6; /* as when a tool sets an attribute in the call of a Fortran program */
    MPIR_Attr_pass(&announced, ADI3_ADDRESS);
    CHECK_INT(set_pointer(o, handle, key, &other), MPI_SUCCESS);
    CHECK(pointer_of(o, handle, key) == &other);
    CHECK_INT(set_pointer(o, handle, key, NULL), MPI_SUCCESS);
    CHECK(!pointer_of(o, handle, key));
    CHECK_INT(set_pointer(o, handle, key, &announced), MPI_SUCCESS);
    CHECK_INT(address_of(o, handle, key), 6);
    MPIR_Attr_pass(NULL, ADI3_POINTER);
    CHECK_INT(set_address(o, handle, key, 0), MPI_SUCCESS);
    CHECK_INT(address_of(o, handle, key), 0);
    CHECK_INT(unset(o, handle, key), MPI_SUCCESS);
    int flag = 1;
    (void) get_address(o, handle, key, &flag);
    CHECK_INT(flag, 0);
}

/* Between MPI_x_get_attr and MPIR_Attr_read() another thread may have changed the attribute. */
static void changed_meanwhile(enum mpir_object o, int handle, int key)
{
    MPI_Aint value = -1;
    int flag = 0;

    set_address(o, handle, key, 8);
    void *old = get_pointer(o, handle, key, &flag);
    set_integer(o, handle, key, 9);
    MPIR_Attr_read(o, handle, key, old, &value, &flag);
    CHECK(flag == 1 && value == 9);
    unset(o, handle, key);
    MPIR_Attr_read(o, handle, key, old, &value, &flag);
    CHECK(flag == 0 && value == 9);
    flag = 1;
    MPIR_Attr_read(o, 0x7fffffff, key, old, &value, &flag); /* the object is gone, too */
    CHECK(flag == 0 && value == 9);
}

static void predefined_of_comm(void)
{
    const int keys[] = { MPI_TAG_UB, MPI_HOST, MPI_IO, MPI_WTIME_IS_GLOBAL, MPI_LASTUSEDCODE };

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        int c = *(int *) pointer_of(MPIR_ON_COMM, MPI_COMM_WORLD, keys[i]);
        CHECK_INT(MPIR_Attr_key(keys[i] + 1), keys[i]);
        CHECK_INT(MPIR_Attr_key(keys[i]), keys[i]);
        CHECK_INT(address_of(MPIR_ON_COMM, MPI_COMM_WORLD, keys[i] + 1), c);
    }
    CHECK(address_of(MPIR_ON_COMM, MPI_COMM_SELF, MPI_TAG_UB + 1) >= 32767);
    CHECK_INT(MPIR_Attr_key(MPI_KEYVAL_INVALID), MPI_KEYVAL_INVALID);
}

static void predefined_of_win(void)
{
    char *base;
    MPI_Win w;

    MPI_Win_allocate(24, 8, MPI_INFO_NULL, MPI_COMM_SELF, &base, &w);
    CHECK_INT(address_of(MPIR_ON_WIN, w, MPI_WIN_BASE + 1), (MPI_Aint) base);
    CHECK_INT(address_of(MPIR_ON_WIN, w, MPI_WIN_SIZE + 1), 24);
    CHECK_INT(address_of(MPIR_ON_WIN, w, MPI_WIN_DISP_UNIT + 1), 8);
    CHECK_INT(address_of(MPIR_ON_WIN, w, MPI_WIN_CREATE_FLAVOR + 1), MPI_WIN_FLAVOR_ALLOCATE);
    CHECK_INT(address_of(MPIR_ON_WIN, w, MPI_WIN_MODEL + 1), MPI_WIN_UNIFIED);
    MPI_Win_free(&w);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    for (enum mpir_object o = MPIR_ON_COMM; o <= MPIR_ON_WIN; o++) {
        int handle = make_object(o), key = make_key(o, NULL, NULL, NULL, NULL);
        user_set(o, handle, key);
        changed_meanwhile(o, handle, key);
        set_address(o, handle, key, BIG);
        int copy = key;
        free_key(o, &copy); /* the attribute can still be read */
        CHECK_INT(address_of(o, handle, key), BIG);
        free_object(o, &handle);
    }
    predefined_of_comm();
    predefined_of_win();
    MPI_Finalize();
    return 0;
}
