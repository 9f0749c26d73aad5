/* freeing.c — G11: an error of a delete function makes freeing fail: the object and the attribute
 * are still there, and the next try succeeds. MPICH 4.0 fails: it frees datatypes all the same. */
#include "../env/starling.h"
#include "kinds.h"

static void freeing(enum kind kind)
{
    struct object o = make_object(kind);
    struct key first = { 0 }, bad = { .delete_code = MPI_ERR_DIMS };

    make_key(kind, &first);
    make_key(kind, &bad);
    set(o, first.keyval, values);
    set(o, bad.keyval, values + 1);
    CHECK_INT(error_class(free_object(&o)), MPI_ERR_DIMS);
    CHECK(!is_null(o));
    CHECK(get(o, bad.keyval) == values + 1);
    bad.delete_code = MPI_SUCCESS;
    CHECK_INT(free_object(&o), MPI_SUCCESS);
    CHECK(is_null(o));
    CHECK_INT(bad.deletes, 2);
    CHECK_INT(first.deletes, 1);
    free_key(kind, &first.keyval);
    free_key(kind, &bad.keyval);
}

int main(int argc, char **argv)
{
    static const enum kind kinds[] = { COMM, TYPE };

    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        freeing(kinds[i]);
    MPI_Finalize();
    return 0;
}
