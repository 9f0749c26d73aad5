/* resized.c — D02, D03, D04: bounds by hand: explicit ones replace earlier ones and do not touch
 * the true ones; epsilon pads a struct; negative and unaligned displacements; empty blocks. */
#include "mpitest.h"

static void check(MPI_Datatype *type, int size, const MPI_Aint bounds[2], const MPI_Aint exact[2])
{
    MPI_Aint lb = -99, extent = -99;
    int n = -1;

    MPI_Type_size(*type, &n);
    CHECK_INT(n, size);
    MPI_Type_get_extent(*type, &lb, &extent);
    CHECK_INT(lb, bounds[0]);
    CHECK_INT(extent, bounds[1]);
    MPI_Type_get_true_extent(*type, &lb, &extent);
    CHECK_INT(lb, exact[0]);
    CHECK_INT(extent, exact[1]);
}

#define BOUNDS(lb, extent) ((const MPI_Aint[]) { lb, extent })

/* Example 4.9, and the same again. */
static void example(void)
{
    MPI_Datatype type1, type2, type3;

    MPI_Type_create_resized(MPI_INT, -3, 9, &type1);
    check(&type1, 4, BOUNDS(-3, 9), BOUNDS(0, 4));
    MPI_Type_contiguous(2, type1, &type2);
    check(&type2, 8, BOUNDS(-3, 18), BOUNDS(0, 13));
    MPI_Type_create_resized(type2, 1, 2, &type3); /* both markers are replaced */
    check(&type3, 8, BOUNDS(1, 2), BOUNDS(0, 13));
    MPI_Type_free(&type1);
    MPI_Type_create_resized(type3, 0, 0, &type1);
    check(&type1, 8, BOUNDS(0, 0), BOUNDS(0, 13));
    MPI_Type_free(&type1);
    MPI_Type_dup(type3, &type1);
    check(&type1, 8, BOUNDS(1, 2), BOUNDS(0, 13));
    MPI_Type_free(&type1);
    MPI_Type_free(&type2);
    MPI_Type_free(&type3);
}

static void structs(void)
{
    MPI_Datatype type, two;

    MPI_Type_create_struct(2, (int[]) { 1, 1 }, (MPI_Aint[]) { 0, 8 },
                           (MPI_Datatype[]) { MPI_DOUBLE, MPI_CHAR }, &type);
    check(&type, 9, BOUNDS(0, 16), BOUNDS(0, 9)); /* example 4.1 */
    MPI_Type_contiguous(2, type, &two);
    check(&two, 18, BOUNDS(0, 32), BOUNDS(0, 25));
    MPI_Type_free(&two);
    MPI_Type_vector(2, 1, -3, type, &two);
    check(&two, 18, BOUNDS(-48, 64), BOUNDS(-48, 57));
    MPI_Type_free(&two);
    MPI_Type_free(&type);
    MPI_Type_create_struct(2, (int[]) { 1, 1 }, (MPI_Aint[]) { -4, 1 },
                           (MPI_Datatype[]) { MPI_CHAR, MPI_SHORT }, &type);
    check(&type, 3, BOUNDS(-4, 8), BOUNDS(-4, 7)); /* the extent is padded, not the upper bound */
    MPI_Type_free(&type);
    MPI_Type_create_struct(3, (int[]) { 0, 2, 0 }, (MPI_Aint[]) { -100, 4, 100 },
                           (MPI_Datatype[]) { MPI_DOUBLE, MPI_CHAR, MPI_INT }, &type);
    check(&type, 2, BOUNDS(4, 2), BOUNDS(4, 2)); /* empty members have no place */
    MPI_Type_free(&type);
}

static void blocks(void)
{
    MPI_Datatype type;

    MPI_Type_create_hvector(3, 1, 5, MPI_INT, &type); /* not padded: not a struct */
    check(&type, 12, BOUNDS(0, 14), BOUNDS(0, 14));
    MPI_Type_free(&type);
    MPI_Type_create_hvector(3, 2, -9, MPI_SHORT, &type);
    check(&type, 12, BOUNDS(-18, 22), BOUNDS(-18, 22));
    MPI_Type_free(&type);
    MPI_Type_indexed(4, (int[]) { 0, 2, 1, 0 }, (int[]) { -50, 3, -2, 50 }, MPI_INT, &type);
    check(&type, 12, BOUNDS(-8, 28), BOUNDS(-8, 28));
    MPI_Type_free(&type);
    MPI_Type_create_hindexed(3, (int[]) { 1, 0, 1 }, (MPI_Aint[]) { 7, 0, 7 }, MPI_INT, &type);
    check(&type, 8, BOUNDS(7, 4), BOUNDS(7, 4)); /* twice the same */
    MPI_Type_free(&type);
    MPI_Type_create_indexed_block(2, 2, (int[]) { 4, -1 }, MPI_DOUBLE, &type);
    check(&type, 32, BOUNDS(-8, 56), BOUNDS(-8, 56));
    MPI_Type_free(&type);
    MPI_Type_create_hindexed_block(2, 1, (MPI_Aint[]) { 3, -3 }, MPI_CHAR, &type);
    check(&type, 2, BOUNDS(-3, 7), BOUNDS(-3, 7));
    MPI_Type_free(&type);
}

/* Constructors accept empty types, and an empty message can be sent. */
static void empty(void)
{
    MPI_Datatype type[9];
    int none = 0, ints[1] = { 0 };
    MPI_Aint aints[1] = { 0 };

    MPI_Type_contiguous(0, MPI_INT, &type[0]);
    MPI_Type_vector(0, 3, 4, MPI_INT, &type[1]);
    MPI_Type_vector(3, 0, 4, MPI_INT, &type[2]);
    MPI_Type_create_hvector(3, 0, 4, MPI_INT, &type[3]);
    MPI_Type_indexed(0, ints, ints, MPI_INT, &type[4]);
    MPI_Type_create_hindexed(1, &none, aints, MPI_INT, &type[5]);
    MPI_Type_create_indexed_block(1, 0, ints, MPI_INT, &type[6]);
    MPI_Type_create_hindexed_block(0, 5, aints, MPI_INT, &type[7]);
    MPI_Type_create_struct(1, &none, aints, (MPI_Datatype[]) { MPI_INT }, &type[8]);
    for (int i = 0; i < 9; i++) {
        char buffer[8] = "";
        int size = -1, at = 0;

        MPI_Type_size(type[i], &size);
        CHECK_INT(size, 0);
        MPI_Type_commit(&type[i]);
        MPI_Pack(buffer, 3, type[i], buffer + 4, 4, &at, MPI_COMM_SELF);
        CHECK_INT(at, 0);
        MPI_Sendrecv(buffer, 3, type[i], 0, 1, buffer + 4, 2, type[i], 0, 1, MPI_COMM_SELF,
                     MPI_STATUS_IGNORE);
        MPI_Type_free(&type[i]);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    example();
    structs();
    blocks();
    empty();
    MPI_Finalize();
    return 0;
}
