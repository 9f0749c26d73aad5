/* error_texts.c — wrong arguments of constructors and inquiries, deep in their arrays: the class,
 * and in Starling's texts the index and the value of the entry. MPICH 4.0 fails: it checks few of
 * them. */
#include <limits.h>
#include <stdint.h>
#include "../env/starling.h"

#define INTS(...)  ((int[]) { __VA_ARGS__ })
#define AINTS(...) ((MPI_Aint[]) { __VA_ARGS__ })
#define TYPES(...) ((MPI_Datatype[]) { __VA_ARGS__ })

static MPI_Datatype made = MPI_DATATYPE_NULL;

static void expect(int code, int class, const char *first, const char *second)
{
    char text[MPI_MAX_ERROR_STRING];
    int len = -1;

    CHECK(code != MPI_SUCCESS);
    CHECK_INT(error_class(code), class);
    CHECK(made == MPI_DATATYPE_NULL); /* outputs are set on success only */
    MPI_Error_string(code, text, &len);
    if (starling() && (!strstr(text, first) || !strstr(text, second))) {
        fprintf(stderr, "no '%s' and '%s' in '%s'\n", first, second, text);
        CHECK(!"the error text lacks a value");
    }
}

static void lists(void)
{
    const int lens[] = { 1, 2, -7 }, fine[] = { 1, 2, 3 };
    const MPI_Aint places[] = { 0, 8, 16 };
    const MPI_Datatype types[] = { MPI_INT, MPI_DATATYPE_NULL, MPI_INT };

    expect(MPI_Type_indexed(3, lens, fine, MPI_INT, &made), MPI_ERR_COUNT, "blocklengths[2]", "-7");
    expect(MPI_Type_create_hindexed(3, lens, places, MPI_INT, &made), MPI_ERR_COUNT,
           "blocklengths[2]", "-7");
    expect(MPI_Type_create_struct(3, lens, places, types, &made), MPI_ERR_COUNT, "blocklengths[2]",
           "-7");
    expect(MPI_Type_create_struct(3, fine, places, types, &made), MPI_ERR_TYPE, "types[1]",
           "MPI_DATATYPE_NULL");
    expect(MPI_Type_create_struct(1, fine, places, TYPES(MPI_COMM_WORLD), &made), MPI_ERR_TYPE,
           "types[0]", "44000000");
    expect(MPI_Type_create_indexed_block(2, -3, fine, MPI_INT, &made), MPI_ERR_COUNT, "blocklength",
           "-3");
    CHECK_INT(MPI_Type_indexed(0, NULL, NULL, MPI_INT, &made), MPI_SUCCESS);
    MPI_Type_free(&made);
    CHECK_INT(MPI_Type_create_struct(0, NULL, NULL, NULL, &made), MPI_SUCCESS);
    MPI_Type_free(&made);
}

static void subarrays(void)
{
    expect(MPI_Type_create_subarray(2, INTS(4, 0), INTS(1, 1), INTS(0, 0), MPI_ORDER_C, MPI_INT,
                                    &made),
           MPI_ERR_ARG, "array_of_sizes[1]", "0");
    expect(MPI_Type_create_subarray(2, INTS(4, 5), INTS(1, 6), INTS(0, 0), MPI_ORDER_C, MPI_INT,
                                    &made),
           MPI_ERR_ARG, "array_of_subsizes[1] is 6", "5");
    expect(MPI_Type_create_subarray(2, INTS(4, 5), INTS(2, 5), INTS(3, 0), MPI_ORDER_C, MPI_INT,
                                    &made),
           MPI_ERR_ARG, "array_of_starts[0] is 3", "4");
    expect(MPI_Type_create_subarray(1, INTS(4), INTS(2), INTS(-1), MPI_ORDER_C, MPI_INT, &made),
           MPI_ERR_ARG, "array_of_starts[0]", "-1");
    expect(MPI_Type_create_subarray(1, INTS(4), INTS(2), INTS(0), 123, MPI_INT, &made), MPI_ERR_ARG,
           "order", "123");
}

static void darrays(void)
{
    const int block[] = { MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_CYCLIC }, one[] = { 1, 1 };
    const int sizes[] = { 10, 10 }, grid[] = { 2, 3 }, args[] = { 5, 2 };

    expect(MPI_Type_create_darray(6, 6, 2, sizes, block, args, grid, MPI_ORDER_C, MPI_INT, &made),
           MPI_ERR_RANK, "rank 6", "5");
    expect(MPI_Type_create_darray(7, 0, 2, sizes, block, args, grid, MPI_ORDER_C, MPI_INT, &made),
           MPI_ERR_ARG, "6 processes", "7");
    expect(MPI_Type_create_darray(6, 0, 2, sizes, INTS(MPI_DISTRIBUTE_BLOCK, 77), args, grid,
                                  MPI_ORDER_C, MPI_INT, &made),
           MPI_ERR_ARG, "array_of_distribs[1]", "77");
    expect(MPI_Type_create_darray(6, 0, 2, sizes, block, INTS(4, 2), grid, MPI_ORDER_C, MPI_INT,
                                  &made),
           MPI_ERR_ARG, "array_of_dargs[0]", "10");
    expect(MPI_Type_create_darray(6, 0, 2, sizes, block, INTS(5, 0), grid, MPI_ORDER_C, MPI_INT,
                                  &made),
           MPI_ERR_ARG, "array_of_dargs[1] is 0", "1");
    expect(MPI_Type_create_darray(1, 0, 2, sizes, block, args, INTS(1, 0), MPI_ORDER_C, MPI_INT,
                                  &made),
           MPI_ERR_ARG, "array_of_psizes[1] is 0", "1");
    expect(MPI_Type_create_darray(1, 0, 2, INTS(10, -2), block, INTS(10, 1), one, MPI_ORDER_C,
                                  MPI_INT, &made),
           MPI_ERR_ARG, "array_of_gsizes[1]", "-2");
}

/* Sizes that need more than 62 bits. */
static void too_large(void)
{
    MPI_Datatype large, larger;

    MPI_Type_contiguous(INT_MAX, MPI_BYTE, &large);
    MPI_Type_contiguous(INT_MAX, large, &larger);
    expect(MPI_Type_contiguous(2, larger, &made), MPI_ERR_COUNT, "the size", "62 bits");
    expect(MPI_Type_create_hvector(2, 1, PTRDIFF_MAX, MPI_INT, &made), MPI_ERR_COUNT, "the bounds",
           "62 bits");
    expect(MPI_Type_create_hindexed(1, INTS(1), AINTS(PTRDIFF_MAX), MPI_INT, &made), MPI_ERR_COUNT,
           "the bounds", "62 bits");
    expect(MPI_Type_create_resized(MPI_INT, 0, PTRDIFF_MIN, &made), MPI_ERR_COUNT, "the bounds",
           "62 bits");
    expect(MPI_Type_create_subarray(2, INTS(INT_MAX, INT_MAX), INTS(1, 1), INTS(0, 0), MPI_ORDER_C,
                                    MPI_DOUBLE, &made),
           MPI_ERR_COUNT, "the whole array", "62 bits");
    MPI_Type_free(&large);
    MPI_Type_free(&larger);
}

static void contents(void)
{
    MPI_Datatype vector;
    int ints[3] = { -1, -1, -1 };
    MPI_Aint addrs[1];

    MPI_Type_create_hvector(3, 2, 64, MPI_INT, &vector);
    expect(MPI_Type_get_contents(vector, 1, 1, 1, ints, addrs, &made), MPI_ERR_ARG,
           "max_integers is 1", "2");
    expect(MPI_Type_get_contents(vector, 3, 0, 1, ints, addrs, &made), MPI_ERR_ARG,
           "max_addresses is 0", "1");
    expect(MPI_Type_get_contents(MPI_DOUBLE, 3, 1, 1, ints, addrs, &made), MPI_ERR_TYPE,
           "MPI_DOUBLE", "predefined");
    CHECK_INT(ints[0], -1);
    MPI_Type_free(&vector);
}

static void kinds(void)
{
    MPI_Datatype real;
    MPI_Status status = { .MPI_TAG = 0 };

    expect(MPI_Type_create_f90_real(1000, 5, &made), MPI_ERR_ARG, "1000", "5");
    expect(MPI_Type_create_f90_complex(MPI_UNDEFINED, 12345, &made), MPI_ERR_ARG, "range", "12345");
    expect(MPI_Type_create_f90_integer(99, &made), MPI_ERR_ARG, "integer", "99");
    expect(MPI_Type_match_size(MPI_TYPECLASS_REAL, 3, &made), MPI_ERR_ARG, "3", "bytes");
    MPI_Type_create_f90_real(6, 30, &real);
    expect(MPI_Type_free(&real), MPI_ERR_TYPE, "predefined", "may not be freed");
    expect(MPI_Status_set_elements_x(&status, MPI_DOUBLE, (MPI_Count) 1 << 60), MPI_ERR_COUNT,
           "1152921504606846976", "bytes");
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    lists();
    subarrays();
    darrays();
    too_large();
    contents();
    kinds();
    MPI_Finalize();
    return 0;
}
