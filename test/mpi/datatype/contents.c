/* contents.c — D07: MPI_Type_get_envelope and MPI_Type_get_contents return exactly the call that
 * made a type. Derived types among the contents are new handles, which the caller frees. */
#include "mpitest.h"

/* The returned contents, with room to see that no more is written than the envelope announces. */
struct contents {
    int ints, aints, types, combiner;
    int i[40];
    MPI_Aint a[20];
    MPI_Datatype d[20];
};

static struct contents open_type(MPI_Datatype type, int combiner)
{
    struct contents c;

    memset(&c, 0xa5, sizeof c);
    MPI_Type_get_envelope(type, &c.ints, &c.aints, &c.types, &c.combiner);
    CHECK_INT(c.combiner, combiner);
    CHECK(c.ints < 40 && c.aints < 20 && c.types < 20);
    CHECK(MPI_Type_get_contents(type, c.ints, c.aints, c.types, c.i, c.a, c.d) == MPI_SUCCESS);
    CHECK_INT(c.i[c.ints], (int) 0xa5a5a5a5);
    CHECK_INT(c.a[c.aints], (long long) 0xa5a5a5a5a5a5a5a5);
    return c;
}

static void check_ints(const struct contents *c, int n, const int *expected)
{
    CHECK_INT(c->ints, n);
    for (int i = 0; i < n; i++)
        CHECK_INT(c->i[i], expected[i]);
}

static void check_aints(const struct contents *c, int n, const MPI_Aint *expected)
{
    CHECK_INT(c->aints, n);
    for (int i = 0; i < n; i++)
        CHECK_INT(c->a[i], expected[i]);
}

#define INTS(...)                                                                                  \
    (int) (sizeof((int[]) { __VA_ARGS__ }) / sizeof(int)), (int[]) { __VA_ARGS__ }
#define AINTS(...)                                                                                 \
    (int) (sizeof((MPI_Aint[]) { __VA_ARGS__ }) / sizeof(MPI_Aint)), (MPI_Aint[]) { __VA_ARGS__ }

/* A derived type to make others of. */
static MPI_Datatype old_type(void)
{
    MPI_Datatype old;

    MPI_Type_contiguous(3, MPI_SHORT, &old);
    return old;
}

/* d is a new handle to the type that old_type names; it is freed. */
static void check_old(MPI_Datatype d)
{
    struct contents c = open_type(d, MPI_COMBINER_CONTIGUOUS);

    check_ints(&c, INTS(3));
    CHECK_INT(c.types, 1);
    CHECK(c.d[0] == MPI_SHORT); /* predefined types are the same handle */
    CHECK(MPI_Type_free(&d) == MPI_SUCCESS);
}

/* One derived type within; type is freed before its contents. */
static void check_one_old(struct contents *c, MPI_Datatype type)
{
    CHECK_INT(c->types, 1);
    MPI_Type_free(&type);
    check_old(c->d[0]);
}

static void regular(void)
{
    MPI_Datatype old = old_type(), type;
    struct contents c;

    MPI_Type_contiguous(5, old, &type);
    c = open_type(type, MPI_COMBINER_CONTIGUOUS);
    check_ints(&c, INTS(5));
    check_aints(&c, 0, NULL);
    check_one_old(&c, type);
    MPI_Type_vector(4, 2, -3, old, &type);
    c = open_type(type, MPI_COMBINER_VECTOR);
    check_ints(&c, INTS(4, 2, -3));
    check_aints(&c, 0, NULL);
    check_one_old(&c, type);
    MPI_Type_create_hvector(4, 2, -3333333333, old, &type);
    c = open_type(type, MPI_COMBINER_HVECTOR);
    check_ints(&c, INTS(4, 2));
    check_aints(&c, AINTS(-3333333333));
    check_one_old(&c, type);
    MPI_Type_create_resized(old, -5, 77, &type);
    c = open_type(type, MPI_COMBINER_RESIZED);
    check_ints(&c, 0, NULL);
    check_aints(&c, AINTS(-5, 77));
    check_one_old(&c, type);
    MPI_Type_dup(old, &type);
    c = open_type(type, MPI_COMBINER_DUP);
    check_ints(&c, 0, NULL);
    check_aints(&c, 0, NULL);
    check_one_old(&c, type);
    MPI_Type_free(&old);
}

/* Blocks with empty and overlapping ones, which the engine may drop or join. */
static void indexed(void)
{
    const int length[] = { 2, 0, 1, 1 }, index[] = { 0, 9, 2, -3 };
    const MPI_Aint disp[] = { 0, 5, 4000000000, -7 };
    MPI_Datatype old = old_type(), type;
    struct contents c;

    MPI_Type_indexed(4, length, index, old, &type);
    c = open_type(type, MPI_COMBINER_INDEXED);
    check_ints(&c, INTS(4, 2, 0, 1, 1, 0, 9, 2, -3));
    check_aints(&c, 0, NULL);
    check_one_old(&c, type);
    MPI_Type_create_hindexed(4, length, disp, old, &type);
    c = open_type(type, MPI_COMBINER_HINDEXED);
    check_ints(&c, INTS(4, 2, 0, 1, 1));
    check_aints(&c, 4, disp);
    check_one_old(&c, type);
    MPI_Type_create_indexed_block(4, 7, index, old, &type);
    c = open_type(type, MPI_COMBINER_INDEXED_BLOCK);
    check_ints(&c, INTS(4, 7, 0, 9, 2, -3));
    check_aints(&c, 0, NULL);
    check_one_old(&c, type);
    MPI_Type_create_hindexed_block(4, 7, disp, old, &type);
    c = open_type(type, MPI_COMBINER_HINDEXED_BLOCK);
    check_ints(&c, INTS(4, 7));
    check_aints(&c, 4, disp);
    check_one_old(&c, type);
    MPI_Type_free(&old);
}

static void structs(void)
{
    MPI_Datatype old = old_type(), type, dup;
    struct contents c;

    MPI_Type_dup(MPI_INT, &dup);
    MPI_Type_create_struct(4, (int[]) { 1, 0, 2, 3 }, (MPI_Aint[]) { 0, 1, 8, -40 },
                           (MPI_Datatype[]) { MPI_DOUBLE_INT, MPI_CHAR, dup, old }, &type);
    MPI_Type_free(&dup);
    MPI_Type_free(&old);
    c = open_type(type, MPI_COMBINER_STRUCT);
    check_ints(&c, INTS(4, 1, 0, 2, 3));
    check_aints(&c, AINTS(0, 1, 8, -40));
    CHECK_INT(c.types, 4);
    CHECK(c.d[0] == MPI_DOUBLE_INT && c.d[1] == MPI_CHAR);
    CHECK(c.d[2] != MPI_INT); /* a duplicate is another type than the original */
    MPI_Type_free(&type);
    check_old(c.d[3]);
    type = c.d[2];
    c = open_type(type, MPI_COMBINER_DUP);
    CHECK(c.d[0] == MPI_INT);
    MPI_Type_free(&type);
}

static void arrays(void)
{
    const int sizes[] = { 6, 4 }, subsizes[] = { 2, 3 }, starts[] = { 4, 0 };
    const int distribs[] = { MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE };
    const int dargs[] = { 2, MPI_DISTRIBUTE_DFLT_DARG }, psizes[] = { 3, 1 };
    MPI_Datatype old = old_type(), type;
    struct contents c;

    MPI_Type_create_subarray(2, sizes, subsizes, starts, MPI_ORDER_FORTRAN, old, &type);
    c = open_type(type, MPI_COMBINER_SUBARRAY);
    check_ints(&c, INTS(2, 6, 4, 2, 3, 4, 0, MPI_ORDER_FORTRAN));
    check_aints(&c, 0, NULL);
    check_one_old(&c, type);
    MPI_Type_create_darray(3, 1, 2, sizes, distribs, dargs, psizes, MPI_ORDER_C, old, &type);
    c = open_type(type, MPI_COMBINER_DARRAY);
    check_ints(&c, INTS(3, 1, 2, 6, 4, MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_NONE, 2,
                        MPI_DISTRIBUTE_DFLT_DARG, 3, 1, MPI_ORDER_C));
    check_aints(&c, 0, NULL);
    check_one_old(&c, type);
    MPI_Type_free(&old);
}

static void named(void)
{
    const MPI_Datatype all[] = { MPI_INT,    MPI_DOUBLE_INT, MPI_2INT, MPI_BYTE,
                                 MPI_PACKED, MPI_REAL,       MPI_COUNT };

    for (int i = 0; i < 7; i++) {
        int ints = -1, aints = -1, types = -1, combiner = -1;

        MPI_Type_get_envelope(all[i], &ints, &aints, &types, &combiner);
        CHECK_INT(combiner, MPI_COMBINER_NAMED);
        CHECK_INT(ints, 0);
        CHECK_INT(aints, 0);
        CHECK_INT(types, 0);
    }
}

static void f90(void)
{
    MPI_Datatype type;
    struct contents c;

    MPI_Type_create_f90_real(6, 30, &type);
    c = open_type(type, MPI_COMBINER_F90_REAL);
    check_ints(&c, INTS(6, 30));
    CHECK_INT(c.aints, 0);
    CHECK_INT(c.types, 0);
    MPI_Type_create_f90_complex(MPI_UNDEFINED, 200, &type);
    c = open_type(type, MPI_COMBINER_F90_COMPLEX);
    check_ints(&c, INTS(MPI_UNDEFINED, 200));
    CHECK_INT(c.types, 0);
    MPI_Type_create_f90_integer(7, &type);
    c = open_type(type, MPI_COMBINER_F90_INTEGER);
    check_ints(&c, INTS(7));
    CHECK_INT(c.types, 0);
    MPI_Type_dup(type, &type); /* of an unnamed predefined type */
    c = open_type(type, MPI_COMBINER_DUP);
    MPI_Type_free(&type);
    c = open_type(c.d[0], MPI_COMBINER_F90_INTEGER);
    check_ints(&c, INTS(7));
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    regular();
    indexed();
    structs();
    arrays();
    named();
    f90();
    MPI_Finalize();
    return 0;
}
