/* keyvals.c — G11: a freed key still serves the attributes that are set: their functions are
 * called, they can be deleted, and no other key gets its number meanwhile. */
#include "kinds.h"

static void freed(enum kind kind)
{
    struct object o = make_object(kind), dup;
    struct key k = { 0 }, other = { 0 };

    make_key(kind, &k);
    int kept = k.keyval;
    CHECK_INT(set(o, kept, values), MPI_SUCCESS);
    CHECK_INT(free_key(kind, &k.keyval), MPI_SUCCESS);
    CHECK(k.keyval == MPI_KEYVAL_INVALID);
    CHECK_INT(k.deletes, 0);
    make_key(kind, &other);
    CHECK(other.keyval != kept);
    CHECK(get(o, kept) == values);
    k.keyval = kept; /* the arguments of the functions */
    CHECK_INT(dup_object(o, &dup), MPI_SUCCESS);
    CHECK_INT(k.copies, 1);
    CHECK(get(dup, kept) == values + 1);
    CHECK_INT(free_object(&dup), MPI_SUCCESS);
    CHECK_INT(k.deletes, 1);
    k.deletes = 0;
    CHECK_INT(unset(o, kept), MPI_SUCCESS);
    CHECK_INT(k.deletes, 1);
    CHECK(k.value == values);
    free_key(kind, &other.keyval);
    free_object(&o);
}

/* Keys of windows can be made before there are windows. */
static void of_windows(void)
{
    int a, b;

    MPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, MPI_WIN_NULL_DELETE_FN, &a, NULL);
    MPI_Win_create_keyval(MPI_WIN_DUP_FN, MPI_WIN_NULL_DELETE_FN, &b, NULL);
    CHECK(a != b && a != MPI_KEYVAL_INVALID && b != MPI_KEYVAL_INVALID);
    CHECK_INT(MPI_Win_free_keyval(&a), MPI_SUCCESS);
    CHECK(a == MPI_KEYVAL_INVALID);
    CHECK_INT(MPI_Win_free_keyval(&b), MPI_SUCCESS);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    for (enum kind kind = COMM; kind < KINDS; kind++)
        freed(kind);
    of_windows();
    MPI_Finalize();
    return 0;
}
