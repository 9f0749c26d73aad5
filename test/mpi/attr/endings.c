/* endings.c — G11: the attributes of a datatype are deleted with the last handle that the user has
 * to free, also while other types are made of it. Only for Starling: the standard does not say
 * when. */
#include "kinds.h"

static void in_use(void)
{
    struct object o = make_object(TYPE);
    struct key k = { 0 };
    MPI_Datatype outer;

    make_key(TYPE, &k);
    set(o, k.keyval, values);
    MPI_Type_contiguous(3, o.type, &outer);
    CHECK_INT(free_object(&o), MPI_SUCCESS);
    CHECK_INT(k.deletes, 1);
    MPI_Type_free(&outer);
    CHECK_INT(k.deletes, 1);
    free_key(TYPE, &k.keyval);
}

static void two_handles(void)
{
    struct object o = make_object(TYPE), again = { TYPE, MPI_COMM_NULL, MPI_DATATYPE_NULL };
    struct key k = { 0 };
    MPI_Datatype outer;
    int ints[1];
    MPI_Aint none[1];

    make_key(TYPE, &k);
    set(o, k.keyval, values);
    MPI_Type_contiguous(3, o.type, &outer);
    MPI_Type_get_contents(outer, 1, 0, 1, ints, none, &again.type);
    CHECK_INT(free_object(&o), MPI_SUCCESS);
    CHECK_INT(k.deletes, 0);
    CHECK(get(again, k.keyval) == values);
    CHECK_INT(free_object(&again), MPI_SUCCESS);
    CHECK_INT(k.deletes, 1);
    MPI_Type_free(&outer);
    free_key(TYPE, &k.keyval);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    in_use();
    two_handles();
    MPI_Finalize();
    return 0;
}
