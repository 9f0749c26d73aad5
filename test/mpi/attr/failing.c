/* failing.c — G11: an error of a copy function makes the copy fail; an error of a delete function
 * makes set and delete fail, and nothing changes; the next try succeeds. */
#include "../env/starling.h"
#include "kinds.h"

static void deleting(enum kind kind)
{
    struct object o = make_object(kind);
    struct key k = { .delete_code = MPI_ERR_DIMS };

    make_key(kind, &k);
    set(o, k.keyval, values);
    CHECK_INT(error_class(unset(o, k.keyval)), MPI_ERR_DIMS);
    CHECK(get(o, k.keyval) == values);
    CHECK_INT(error_class(set(o, k.keyval, values + 1)), MPI_ERR_DIMS);
    CHECK(get(o, k.keyval) == values);
    CHECK_INT(k.deletes, 2);
    k.delete_code = MPI_SUCCESS;
    CHECK_INT(unset(o, k.keyval), MPI_SUCCESS);
    CHECK(get(o, k.keyval) == NULL);
    free_key(kind, &k.keyval);
    CHECK_INT(free_object(&o), MPI_SUCCESS);
}

/* The attributes that had been copied are deleted again. */
static void copying(enum kind kind)
{
    struct object o = make_object(kind), dup;
    struct key good[2] = { 0 }, bad = { .copy_code = MPI_ERR_DIMS };

    make_key(kind, &good[0]);
    make_key(kind, &bad);
    make_key(kind, &good[1]);
    set(o, good[0].keyval, values);
    set(o, bad.keyval, values + 2);
    set(o, good[1].keyval, values + 4);
    CHECK_INT(error_class(dup_object(o, &dup)), MPI_ERR_DIMS);
    CHECK_INT(bad.copies, 1);
    CHECK_INT(bad.deletes, 0);
    for (int i = 0; i < 2; i++) {
        CHECK(good[i].copies <= 1);
        if (starling()) /* the standard does not say */
            CHECK_INT(good[i].deletes, good[i].copies);
        CHECK(get(o, good[i].keyval) == values + 4 * i);
    }
    bad.copy_code = MPI_SUCCESS;
    CHECK_INT(dup_object(o, &dup), MPI_SUCCESS);
    CHECK(get(dup, bad.keyval) == values + 3);
    CHECK_INT(free_object(&dup), MPI_SUCCESS);
    CHECK_INT(free_object(&o), MPI_SUCCESS);
    free_key(kind, &good[0].keyval);
    free_key(kind, &bad.keyval);
    free_key(kind, &good[1].keyval);
}

int main(int argc, char **argv)
{
    static const enum kind kinds[] = { COMM, TYPE };

    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    deleting(COMM);
    deleting(TYPE);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        copying(kinds[i]);
    MPI_Finalize();
    return 0;
}
