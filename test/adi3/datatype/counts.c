/* counts.c — constructor calls with counts of type MPI_Count make the same datatypes as those with
 * int; and datatypes that only they can make. */
#include <stdlib.h>
#include <string.h>
#include "adi3/adi3.h"
#include "adi3/datatype/datatype.h"
#include "unit.h"

enum { MEMORY = 8192, BASE = 2048, MOST = 1024 };

static struct adi3_type *made(struct adi3_contents r)
{
    struct adi3_type *t = NULL;

    assert_int_equal(adi3_type_make(&r, &t), MPI_SUCCESS);
    assert_int_equal(adi3_type_commit(t), MPI_SUCCESS);
    return t;
}

static int class_of(struct adi3_contents r)
{
    struct adi3_type *t = NULL;
    int err = adi3_type_make(&r, &t);

    if (t)
        adi3_type_release(t);
    return err & ADI3_CLASS_MASK;
}

/* Both have the same bounds, and the same bytes in the same order. Releases both. */
static void same(struct adi3_contents ints, struct adi3_contents counts)
{
    struct adi3_type *a = made(ints), *b = made(counts);
    char memory[MEMORY], x[MOST], y[MOST];

    assert_int_equal(a->size, b->size);
    assert_int_equal(a->external, b->external);
    assert_int_equal(a->elements, b->elements);
    assert_int_equal(a->lb, b->lb);
    assert_int_equal(a->extent, b->extent);
    assert_int_equal(a->true_lb, b->true_lb);
    assert_int_equal(a->true_extent, b->true_extent);
    assert_true(a->size > 0 && 2 * a->size <= MOST);
    for (int i = 0; i < MEMORY; i++)
        memory[i] = (char) (i * 7 + i / 256);
    adi3_pack(&(struct adi3_data) { memory + BASE, 2, a }, 0, x, 2 * a->size);
    adi3_pack(&(struct adi3_data) { memory + BASE, 2, b }, 0, y, 2 * a->size);
    assert_memory_equal(x, y, 2 * a->size);
    (void) adi3_pack_external(&(struct adi3_data) { memory + BASE, 2, a }, 0, x, SIZE_MAX);
    (void) adi3_pack_external(&(struct adi3_data) { memory + BASE, 2, b }, 0, y, SIZE_MAX);
    assert_memory_equal(x, y, 2 * a->external);
    adi3_type_release(a);
    adi3_type_release(b);
}

/* Calls of one combiner. I: ints, A: addresses, C: counts; T: how many types. */
#define I(...)                                                                                     \
    .nints = sizeof((int[]) { __VA_ARGS__ }) / sizeof(int), .ints = (int[]) { __VA_ARGS__ }
#define A(...)                                                                                     \
    .naddrs = sizeof((MPI_Aint[]) { __VA_ARGS__ }) / sizeof(MPI_Aint), .addrs = (MPI_Aint[])       \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define C(...)                                                                                     \
    .ncounts = sizeof((MPI_Count[]) { __VA_ARGS__ }) / sizeof(MPI_Count), .counts = (MPI_Count[])  \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define CALL(c, n, ...)                                                                            \
    (struct adi3_contents) { .combiner = MPI_COMBINER_##c, .ntypes = n, .types = old, __VA_ARGS__ }

static void as_with_ints(void **state)
{
    struct adi3_type *old[] = { adi3_type_builtin(MPI_INT), adi3_type_builtin(MPI_DOUBLE) };

    (void) state;
    same(CALL(CONTIGUOUS, 1, I(5)), CALL(CONTIGUOUS, 1, C(5)));
    same(CALL(VECTOR, 1, I(3, 2, -5)), CALL(VECTOR, 1, C(3, 2, -5)));
    same(CALL(HVECTOR, 1, I(3, 2), A(20)), CALL(HVECTOR, 1, C(3, 2, 20)));
    same(CALL(INDEXED, 1, I(2, 1, 3, 9, 4)), CALL(INDEXED, 1, C(2, 1, 3, 9, 4)));
    same(CALL(HINDEXED, 1, I(2, 1, 3), A(36, 8)), CALL(HINDEXED, 1, C(2, 1, 3, 36, 8)));
    same(CALL(INDEXED_BLOCK, 1, I(3, 2, 9, 4, -1)), CALL(INDEXED_BLOCK, 1, C(3, 2, 9, 4, -1)));
    same(CALL(HINDEXED_BLOCK, 1, I(2, 3), A(36, 8)), CALL(HINDEXED_BLOCK, 1, C(2, 3, 36, 8)));
    same(CALL(STRUCT, 2, I(2, 1, 3), A(0, 8)), CALL(STRUCT, 2, C(2, 1, 3, 0, 8)));
    same(CALL(RESIZED, 1, A(-4, 24)), CALL(RESIZED, 1, C(-4, 24)));
}

static void arrays_as_with_ints(void **state)
{
    struct adi3_type *old[] = { adi3_type_builtin(MPI_INT) };
    const int dflt = MPI_DISTRIBUTE_DFLT_DARG, cyclic = MPI_DISTRIBUTE_CYCLIC,
              block = MPI_DISTRIBUTE_BLOCK;

    (void) state;
    same(CALL(SUBARRAY, 1, I(2, 5, 7, 3, 2, 1, 4, MPI_ORDER_C)),
         CALL(SUBARRAY, 1, I(2, MPI_ORDER_C), C(5, 7, 3, 2, 1, 4)));
    same(CALL(SUBARRAY, 1, I(2, 5, 7, 3, 2, 1, 4, MPI_ORDER_FORTRAN)),
         CALL(SUBARRAY, 1, I(2, MPI_ORDER_FORTRAN), C(5, 7, 3, 2, 1, 4)));
    for (int rank = 0; rank < 6; rank++)
        same(CALL(DARRAY, 1, I(6, rank, 2, 11, 13, cyclic, block, 2, dflt, 3, 2, MPI_ORDER_C)),
             CALL(DARRAY, 1, I(6, rank, 2, cyclic, block, 2, dflt, 3, 2, MPI_ORDER_C), C(11, 13)));
}

/* More elements and longer strides than an int counts. */
static void large(void **state)
{
    const MPI_Count n = (MPI_Count) 6 << 30;
    struct adi3_type *old[] = { adi3_type_builtin(MPI_BYTE) };
    struct adi3_type *t = made(CALL(VECTOR, 1, C(3, n, 2 * n)));

    (void) state;
    assert_int_equal(t->size, 3 * n);
    assert_int_equal(t->extent, 5 * n);
    adi3_type_release(t);
    t = made(CALL(CONTIGUOUS, 1, C(n)));
    assert_true(t->contig);
    assert_int_equal(t->extent, n);
    adi3_type_release(t);
    t = made(CALL(SUBARRAY, 1, I(2, MPI_ORDER_C), C(9, n, 1, n - 2, 8, 1)));
    assert_int_equal(t->size, n - 2);
    assert_int_equal(t->extent, 9 * n);
    assert_int_equal(t->true_lb, 8 * n + 1);
    adi3_type_release(t);
    t = made(CALL(DARRAY, 1,
                  I(3, 2, 1, MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_DFLT_DARG, 3, MPI_ORDER_C),
                  C(n + 1)));
    assert_int_equal(t->size, n / 3 - 1);
    assert_int_equal(t->true_lb, 2 * (n / 3 + 1));
    adi3_type_release(t);
}

/* Products of counts that overflow, one after the other. */
static void too_large(void **state)
{
    const MPI_Count most = PTRDIFF_MAX, half = (MPI_Count) 1 << 61;
    struct adi3_type *old[] = { adi3_type_builtin(MPI_DOUBLE), adi3_type_builtin(MPI_DOUBLE) };

    (void) state;
    assert_int_equal(class_of(CALL(CONTIGUOUS, 1, C(most))), MPI_ERR_COUNT);
    assert_int_equal(class_of(CALL(CONTIGUOUS, 1, C(half))), MPI_ERR_COUNT);
    assert_int_equal(class_of(CALL(VECTOR, 1, C(most, most, most))), MPI_ERR_COUNT);
    assert_int_equal(class_of(CALL(VECTOR, 1, C(most, most, 0))), MPI_ERR_COUNT);
    assert_int_equal(class_of(CALL(VECTOR, 1, C(2, 1, -most))), MPI_ERR_COUNT);
    assert_int_equal(class_of(CALL(HVECTOR, 1, C(most, 1, -most))), MPI_ERR_COUNT);
    assert_int_equal(class_of(CALL(STRUCT, 2, C(2, most, most, 0, most))), MPI_ERR_COUNT);
    assert_int_equal(class_of(CALL(RESIZED, 1, C(most, most))), MPI_ERR_COUNT);
    assert_int_equal(class_of(CALL(SUBARRAY, 1, I(2, MPI_ORDER_C), C(most, most, 1, 1, 0, 0))),
                     MPI_ERR_COUNT);
    assert_int_equal(class_of(CALL(VECTOR, 1, C(most, 0, most))), MPI_SUCCESS);
}

static int start(void **state)
{
    (void) state;
    return adi3_type_init();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_with_ints),
        cmocka_unit_test(arrays_as_with_ints),
        cmocka_unit_test(large),
        cmocka_unit_test(too_large),
    };

    return UNIT_RUN_BETWEEN(tests, start, NULL);
}
