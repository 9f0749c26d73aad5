/* markers.c — D02: bounds set explicitly hold for every type that is made of the resized one
 * (4.1.6): only the markers count, however far data reach. D04: empty types have no bounds.
 *
 * MPICH 4.0 fails: members that are not resized count too, and so do empty types. */
#include "mpitest.h"

static void check(MPI_Datatype type, MPI_Aint lb, MPI_Aint extent)
{
    MPI_Aint l = -99, e = -99;

    MPI_Type_get_extent(type, &l, &e);
    CHECK_INT(l, lb);
    CHECK_INT(e, extent);
}

static void structs(void)
{
    MPI_Datatype small, type, outer;

    MPI_Type_create_resized(MPI_INT, -3, 5, &small); /* lb -3, ub 2 */
    MPI_Type_create_struct(2, (int[]) { 1, 1 }, (MPI_Aint[]) { 0, 64 },
                           (MPI_Datatype[]) { small, MPI_DOUBLE }, &type);
    check(type, -3, 5); /* no epsilon either */
    MPI_Type_contiguous(3, type, &outer);
    check(outer, -3, 15);
    MPI_Type_free(&outer);
    MPI_Type_create_struct(2, (int[]) { 1, 1 }, (MPI_Aint[]) { -100, 100 },
                           (MPI_Datatype[]) { MPI_CHAR, type }, &outer);
    check(outer, 97, 5);
    MPI_Type_free(&outer);
    MPI_Type_create_struct(2, (int[]) { 2, 1 }, (MPI_Aint[]) { 0, 40 },
                           (MPI_Datatype[]) { small, small }, &outer);
    check(outer, -3, 45); /* the lowest lb_marker, the highest ub_marker */
    MPI_Type_free(&outer);
    MPI_Type_free(&type);
    MPI_Type_free(&small);
}

/* Subarrays have bounds of their own, too. */
static void arrays(void)
{
    MPI_Datatype window, type;

    MPI_Type_create_subarray(1, (int[]) { 10 }, (int[]) { 2 }, (int[]) { 3 }, MPI_ORDER_C, MPI_CHAR,
                             &window);
    check(window, 0, 10);
    MPI_Type_create_struct(2, (int[]) { 1, 1 }, (MPI_Aint[]) { 0, 24 },
                           (MPI_Datatype[]) { window, MPI_INT }, &type);
    check(type, 0, 10);
    MPI_Type_free(&window);
    MPI_Type_free(&type);
}

static void empty(void)
{
    MPI_Datatype none, type;

    MPI_Type_contiguous(0, MPI_DOUBLE, &none);
    MPI_Type_create_struct(3, (int[]) { 5, 1, 2 }, (MPI_Aint[]) { -64, 4, 400 },
                           (MPI_Datatype[]) { none, MPI_CHAR, none }, &type);
    check(type, 4, 1);
    MPI_Type_free(&type);
    MPI_Type_free(&none);
    MPI_Type_create_struct(2, (int[]) { 0, 1 }, (MPI_Aint[]) { 0, 16 },
                           (MPI_Datatype[]) { MPI_LONG_DOUBLE, MPI_CHAR }, &type);
    check(type, 16, 1);
    MPI_Type_free(&type);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    structs();
    arrays();
    empty();
    MPI_Finalize();
    return 0;
}
