/* datatype.c — predefined types against C's own, pairs against C's structs, and the bounds of
 * vectors (D02, D03, D04, D15). */
#include <complex.h>
#include <float.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include "adi3/adi3.h"
#include "adi3/datatype/datatype.h"
#include "unit.h"

static struct adi3_type *type(MPI_Datatype h)
{
    struct adi3_type *t = adi3_type_builtin(h);

    return t ? t : adi3_get(&adi3_types, h);
}

static void bounds(const struct adi3_type *t, size_t size, MPI_Aint lb, MPI_Aint extent,
                   MPI_Aint true_lb, MPI_Aint true_extent)
{
    assert_int_equal(t->size, size);
    assert_int_equal(t->lb, lb);
    assert_int_equal(t->extent, extent);
    assert_int_equal(t->true_lb, true_lb);
    assert_int_equal(t->true_extent, true_extent);
}

/* ---- predefined ------------------------------------------------------------------------------ */

#define ROW(h, ctype)                                                                              \
    {                                                                                              \
        h, sizeof(ctype), #h                                                                       \
    }

static const struct {
    MPI_Datatype handle;
    size_t size;
    const char *name;
} basic[] = {
    ROW(MPI_CHAR, char),
    ROW(MPI_SIGNED_CHAR, signed char),
    ROW(MPI_UNSIGNED_CHAR, unsigned char),
    ROW(MPI_BYTE, char),
    ROW(MPI_PACKED, char),
    ROW(MPI_WCHAR, wchar_t),
    ROW(MPI_SHORT, short),
    ROW(MPI_UNSIGNED_SHORT, short),
    ROW(MPI_INT, int),
    ROW(MPI_UNSIGNED, int),
    ROW(MPI_LONG, long),
    ROW(MPI_UNSIGNED_LONG, long),
    ROW(MPI_LONG_LONG, long long),
    ROW(MPI_LONG_LONG_INT, long long),
    ROW(MPI_UNSIGNED_LONG_LONG, long long),
    ROW(MPI_FLOAT, float),
    ROW(MPI_DOUBLE, double),
    ROW(MPI_LONG_DOUBLE, long double),
    ROW(MPI_C_BOOL, _Bool),
    ROW(MPI_INT8_T, int8_t),
    ROW(MPI_INT16_T, int16_t),
    ROW(MPI_INT32_T, int32_t),
    ROW(MPI_INT64_T, int64_t),
    ROW(MPI_UINT8_T, uint8_t),
    ROW(MPI_UINT16_T, uint16_t),
    ROW(MPI_UINT32_T, uint32_t),
    ROW(MPI_UINT64_T, uint64_t),
    ROW(MPI_AINT, MPI_Aint),
    ROW(MPI_OFFSET, MPI_Offset),
    ROW(MPI_COUNT, MPI_Count),
    ROW(MPI_C_COMPLEX, float complex),
    ROW(MPI_C_FLOAT_COMPLEX, float complex),
    ROW(MPI_C_DOUBLE_COMPLEX, double complex),
    ROW(MPI_C_LONG_DOUBLE_COMPLEX, long double complex),
    ROW(MPI_INTEGER, int),
    ROW(MPI_INTEGER1, int8_t),
    ROW(MPI_INTEGER2, int16_t),
    ROW(MPI_INTEGER4, int32_t),
    ROW(MPI_INTEGER8, int64_t),
    ROW(MPI_INTEGER16, __int128),
    ROW(MPI_LOGICAL, int),
    ROW(MPI_REAL, float),
    ROW(MPI_REAL4, float),
    ROW(MPI_REAL8, double),
    ROW(MPI_DOUBLE_PRECISION, double),
    ROW(MPI_COMPLEX, float complex),
    ROW(MPI_COMPLEX8, float complex),
    ROW(MPI_COMPLEX16, double complex),
    ROW(MPI_DOUBLE_COMPLEX, double complex),
    ROW(MPI_CHARACTER, char),
};
enum { BASIC = sizeof basic / sizeof *basic };

static void as_large_as_in_c(void **state)
{
    (void) state;
    for (int i = 0; i < BASIC; i++) {
        struct adi3_type *t = adi3_type_builtin(basic[i].handle);
        if (!t)
            fail_msg("%s is missing", basic[i].name);
        MPI_Aint size = (MPI_Aint) basic[i].size;
        bounds(t, basic[i].size, 0, size, 0, size);
        assert_int_equal(t->handle, basic[i].handle);
        assert_int_equal(t->handle >> 8 & 0xff, size); /* MPICH's handles carry it */
        assert_true(t->contig && t->committed && t->predefined && !t->layout);
        assert_int_equal(t->elements, 1);
        assert_ptr_equal(t->basic, t);
        adi3_type_release(t); /* predefined types stay */
        assert_ptr_equal(adi3_type_builtin(basic[i].handle), t);
    }
}

static void what_is_no_predefined_type(void **state)
{
    (void) state;
    const MPI_Datatype wrong[] = { MPI_DATATYPE_NULL, 0,         1,          -1,
                                   MPI_COMM_WORLD,    77,        0x4c0001ff, MPI_FLOAT_INT,
                                   0x0c000405,        0x4c000000 };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_null(adi3_type_builtin(wrong[i]));
    for (int i = 0; i < BASIC; i++)
        for (int bit = 8; bit < 32; bit++)
            assert_null(adi3_type_builtin((int) ((unsigned) basic[i].handle ^ 1u << bit)));
}

/* ---- pairs ----------------------------------------------------------------------------------- */

#define STRUCT(name, ctype)                                                                        \
    struct name {                                                                                  \
        ctype value;                                                                               \
        int index;                                                                                 \
    }
STRUCT(float_int, float);
STRUCT(double_int, double);
STRUCT(long_int, long);
STRUCT(short_int, short);
STRUCT(long_double_int, long double);
STRUCT(two_int, int);

#define PAIR(h, name)                                                                              \
    {                                                                                              \
        h, sizeof(((struct name *) 0)->value), sizeof(struct name), offsetof(struct name, index)   \
    }

static const struct {
    MPI_Datatype handle;
    size_t value, extent, index_at;
} pairs[] = {
    PAIR(MPI_FLOAT_INT, float_int), PAIR(MPI_DOUBLE_INT, double_int),
    PAIR(MPI_LONG_INT, long_int),   PAIR(MPI_SHORT_INT, short_int),
    PAIR(MPI_2INT, two_int),        PAIR(MPI_LONG_DOUBLE_INT, long_double_int),
};

/* D15: the size is that of the data, the extent that of the struct, the true one has no tail. */
static void pairs_are_c_structs(void **state)
{
    (void) state;
    assert_int_equal(adi3_type_init(), MPI_SUCCESS); /* again is nothing */
    for (int i = 0; i < 6; i++) {
        struct adi3_type *t = type(pairs[i].handle);
        assert_non_null(t);
        bounds(t, pairs[i].value + sizeof(int), 0, (MPI_Aint) pairs[i].extent, 0,
               (MPI_Aint) (pairs[i].index_at + sizeof(int)));
        assert_int_equal(t->contig, t->size == (size_t) t->extent);
        assert_true(t->committed && t->predefined);
        assert_int_equal(t->elements, 2);
        adi3_type_release(t);
        assert_ptr_equal(type(pairs[i].handle), t);
    }
}

/* What is in the holes of a struct is neither sent nor overwritten. */
static void holes_of_pairs(void **state)
{
    enum { COUNT = 5 };

    (void) state;
    for (int i = 0; i < 6; i++) {
        const struct adi3_type *t = type(pairs[i].handle);
        char from[COUNT * 64], to[COUNT * 64], packed[COUNT * 64];
        const struct adi3_data out = { from, COUNT, (struct adi3_type *) (uintptr_t) t },
                               in = { to, COUNT, out.type };
        for (size_t b = 0; b < sizeof from; b++)
            from[b] = (char) (b + 1);
        memset(to, '#', sizeof to);
        memset(packed, '.', sizeof packed);
        adi3_pack(&out, 0, packed, COUNT * t->size);
        assert_int_equal(packed[COUNT * t->size], '.');
        adi3_unpack(&in, 0, packed, COUNT * t->size);
        for (size_t b = 0; b < sizeof to; b++) {
            size_t at = b % pairs[i].extent, n = b / pairs[i].extent;
            bool data = n < COUNT
                        && (at < pairs[i].value
                            || (at >= pairs[i].index_at && at < pairs[i].index_at + sizeof(int)));
            assert_int_equal(to[b], data ? from[b] : '#');
        }
    }
}

/* ---- vectors --------------------------------------------------------------------------------- */

static struct adi3_type *hvector(int count, int blocklen, MPI_Aint stride, struct adi3_type *old)
{
    struct adi3_type *t = NULL;

    assert_int_equal(adi3_type_hvector(count, blocklen, stride, old, &t), MPI_SUCCESS);
    assert_ptr_equal(adi3_get(&adi3_types, t->handle), t);
    assert_false(t->committed || t->predefined);
    assert_int_equal(t->elements, (size_t) (count * blocklen) * old->elements);
    assert_int_equal(adi3_type_commit(t), MPI_SUCCESS);
    return t;
}

static void bounds_of_vectors(void **state)
{
    static const struct {
        int count, blocklen;
        MPI_Aint stride, lb, extent;
    } row[] = {
        { 3, 2, 16, 0, 40 },   { 3, 2, 8, 0, 24 },      { 3, 2, -16, -32, 40 }, { 3, 2, 0, 0, 8 },
        { 1, 5, 1000, 0, 20 }, { 1, 1, -7, 0, 4 },      { 2, 1, -4, -4, 8 },    { 2, 3, 5, 0, 17 },
        { 4, 1, -1, -3, 7 },   { 1000, 1, 4, 0, 4000 },
    };

    (void) state;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct adi3_type *t = hvector(row[i].count, row[i].blocklen, row[i].stride, type(MPI_INT));
        bounds(t, (size_t) (row[i].count * row[i].blocklen) * 4, row[i].lb, row[i].extent,
               row[i].lb, row[i].extent);
        assert_ptr_equal(t->basic, type(MPI_INT));
        adi3_type_release(t);
    }
}

/* Is it known to be plain memory? What is not may only be slower, what is must be right. */
static void plain_or_not(void **state)
{
    (void) state;
    struct adi3_type *dense = hvector(10, 3, 12, type(MPI_INT));
    struct adi3_type *dense2 = hvector(7, 2, 240, dense);
    struct adi3_type *reversed = hvector(10, 1, -4, type(MPI_INT));
    struct adi3_type *gaps = hvector(10, 1, 8, type(MPI_INT));
    struct adi3_type *of_gaps = hvector(1, 1, 0, gaps);
    struct adi3_type *of_pairs = hvector(1, 4, 0, type(MPI_DOUBLE_INT));
    assert_true(dense->contig && dense2->contig);
    assert_false(reversed->contig || gaps->contig || of_gaps->contig || of_pairs->contig);
    adi3_type_release(of_pairs), adi3_type_release(of_gaps), adi3_type_release(gaps);
    adi3_type_release(reversed), adi3_type_release(dense2), adi3_type_release(dense);
}

/* D04: nothing of anything, and anything of nothing. */
static void empty_types(void **state)
{
    static const int counts[][2] = { { 0, 0 }, { 0, 5 }, { 5, 0 } };
    char byte = 'x';

    (void) state;
    for (int i = 0; i < 3; i++) {
        struct adi3_type *t = hvector(counts[i][0], counts[i][1], -100, type(MPI_INT));
        bounds(t, 0, 0, 0, 0, 0);
        struct adi3_type *v = hvector(3, 2, 8, t);
        assert_int_equal(v->size, 0);
        struct adi3_type *w = hvector(2, 2, 64, v);
        assert_int_equal(w->size, 0);
        const struct adi3_data d = { &byte, 4, w }, none = { NULL, 0, w };
        adi3_pack(&d, 0, &byte, 0);
        adi3_unpack(&d, 0, &byte, 0);
        adi3_pack(&none, 0, NULL, 0);
        adi3_copy(&d, &none);
        assert_int_equal(byte, 'x');
        adi3_type_release(w), adi3_type_release(v), adi3_type_release(t);
    }
}

/* D06: a type may go before those that are made of it. */
static void parents_may_go_first(void **state)
{
    char from[200], to[200];

    (void) state;
    struct adi3_type *a = hvector(3, 1, 8, type(MPI_INT)), *b = hvector(2, 1, 40, a),
                     *c = hvector(2, 1, 90, b);
    MPI_Datatype handle = a->handle;
    adi3_type_release(a), adi3_type_release(b);
    assert_non_null(adi3_get(&adi3_types, handle)); /* as long as c needs it */
    const struct adi3_data out = { from, 1, c }, in = { to, 1, c };
    for (size_t i = 0; i < sizeof from; i++)
        from[i] = (char) i;
    memset(to, '#', sizeof to);
    adi3_copy(&out, &in);
    for (size_t i = 0; i < sizeof to; i++) {
        bool data = i < 180 && i % 90 < 60 && i % 90 % 40 < 20 && i % 90 % 40 % 8 < 4;
        assert_int_equal(to[i], data ? from[i] : '#');
    }
    adi3_type_release(c);
    assert_null(adi3_get(&adi3_types, handle));
}

/* ---- all constructors ------------------------------------------------------------------------ */

static int make(int combiner, const int *ints, const MPI_Aint *addrs, struct adi3_type *const *old,
                struct adi3_type **made)
{
    int nints = combiner == MPI_COMBINER_RESIZED ? 0 : 1 + ints[0];
    int naddrs = combiner == MPI_COMBINER_RESIZED ? 2 : ints[0];
    int ntypes = combiner == MPI_COMBINER_STRUCT ? ints[0] : 1;

    return adi3_type_make(&(struct adi3_contents) { .combiner = combiner,
                                                    .nints = nints,
                                                    .naddrs = naddrs,
                                                    .ntypes = ntypes,
                                                    .ints = ints,
                                                    .addrs = addrs,
                                                    .types = old },
                          made);
}

/* A marker of one bound leaves the other alone; the bound that nothing has is 0. */
static void markers(void **state)
{
    static const struct {
        MPI_Datatype marker;
        MPI_Aint at, lb, extent;
        bool alone;
    } row[] = {
        { MPI_LB, -20, -20, 24, false }, { MPI_LB, 20, 20, -16, false },
        { MPI_UB, -20, 0, -20, false },  { MPI_UB, 20, 0, 20, false },
        { MPI_LB, 5, 5, -5, true },      { MPI_UB, 5, 0, 5, true },
    };

    (void) state;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct adi3_type *const old[] = { type(row[i].marker), type(MPI_INT) };
        const MPI_Aint addrs[] = { row[i].at, 0 };
        struct adi3_type *t = NULL, *again = NULL;
        const int n = row[i].alone ? 1 : 2, size = row[i].alone ? 0 : 4;
        assert_int_equal(make(MPI_COMBINER_STRUCT, (int[]) { n, 1, 1 }, addrs, old, &t), 0);
        bounds(t, (size_t) size, row[i].lb, row[i].extent, 0, size);
        assert_int_equal(adi3_type_dup(t, &again), MPI_SUCCESS);
        bounds(again, (size_t) size, row[i].lb, row[i].extent, 0, size);
        adi3_type_release(again), adi3_type_release(t);
    }
}

/* Sizes and places of 62 bits are right, larger ones are errors, and nothing is left behind. */
static void limits(void **state)
{
    const MPI_Aint most = (MPI_Aint) 1 << 62;
    struct adi3_type *byte = type(MPI_BYTE), *t = NULL, *u = NULL;

    (void) state;
    assert_int_equal(adi3_type_hvector(1 << 30, 1 << 30, 1 << 30, byte, &t), MPI_SUCCESS);
    bounds(t, (size_t) 1 << 60, 0, most / 4, 0, most / 4);
    assert_int_equal(adi3_type_hvector(4, 1, most / 4, t, &u), MPI_SUCCESS);
    bounds(u, (size_t) most, 0, most, 0, most);
    adi3_type_release(u);
    u = NULL;
    assert_int_equal(adi3_type_hvector(5, 1, 0, t, &u) & ADI3_CLASS_MASK, MPI_ERR_COUNT);
    assert_int_equal(adi3_type_hvector(6, 1, most / 4, t, &u) & ADI3_CLASS_MASK, MPI_ERR_COUNT);
    assert_int_equal(adi3_type_hvector(2, 1, most, t, &u) & ADI3_CLASS_MASK, MPI_ERR_COUNT);
    assert_int_equal(adi3_type_hvector(2, 1, -most, t, &u) & ADI3_CLASS_MASK, MPI_ERR_COUNT);
    static const MPI_Aint far[][2] = { { PTRDIFF_MAX, 0 },
                                       { PTRDIFF_MIN, 0 },
                                       { 0, PTRDIFF_MAX },
                                       { 1, PTRDIFF_MIN },
                                       { (MPI_Aint) 1 << 61, (MPI_Aint) 3 << 61 } };
    for (int i = 0; i < 5; i++)
        assert_int_equal(make(MPI_COMBINER_RESIZED, NULL, far[i], &t, &u) & ADI3_CLASS_MASK,
                         MPI_ERR_COUNT);
    const int cube[] = { 3, 1 << 22, 1 << 22, 1 << 22, 1, 1, 1, 0, 0, 0, MPI_ORDER_C };
    const struct adi3_contents too_large = {
        .combiner = MPI_COMBINER_SUBARRAY, .nints = 11, .ntypes = 1, .ints = cube, .types = &byte
    };
    assert_int_equal(adi3_type_make(&too_large, &u) & ADI3_CLASS_MASK, MPI_ERR_COUNT);
    assert_null(u);
    assert_int_equal(t->refs, 1);
    size_t len;
    assert_false(adi3_type_bytes(type(MPI_DOUBLE), SIZE_MAX / 2, &len));
    adi3_type_release(t);
}

/* Types of types end in an error before they end the stack. */
static void levels(void **state)
{
    struct adi3_type *t = NULL, *old = type(MPI_INT);
    int n = 0;

    (void) state;
    for (; n < 100000 && !adi3_type_hvector(2, 1, 0, old, &t); n++) {
        adi3_type_release(old);
        old = t;
        if (n == 50) /* of nothing from here on */
            (void) adi3_type_hvector(0, 1, 0, t, &old), adi3_type_release(t);
    }
    assert_true(n > 1000 && n < 100000);
    assert_int_equal(adi3_type_commit(old), MPI_SUCCESS);
    adi3_type_release(old);
}

/* What the user has no handle of cannot be had by its number; contents hand it out again. */
static void handles(void **state)
{
    struct adi3_type *t = hvector(3, 1, 8, type(MPI_INT)), *dup = NULL;

    (void) state;
    assert_int_equal(t->handles, 0);
    assert_int_equal(adi3_type_user_acquire(t), t->handle);
    assert_int_equal(adi3_type_user_acquire(t), t->handle);
    assert_true(t->handles == 2 && t->refs == 3);
    adi3_type_user_release(t), adi3_type_user_release(t);
    assert_true(t->handles == 0 && t->refs == 1);
    assert_int_equal(adi3_type_dup(t, &dup), MPI_SUCCESS);
    assert_true(dup->committed && dup->handle != t->handle); /* D06 */
    adi3_type_release(t), adi3_type_release(dup);
    assert_int_equal(adi3_type_user_acquire(type(MPI_INT)), MPI_INT);
    assert_int_equal(type(MPI_INT)->handles, 0);
}

static void fortran_kinds(void **state)
{
    static const struct {
        int combiner, p, r;
        MPI_Datatype like;
    } row[] = {
        { MPI_COMBINER_F90_REAL, 6, 37, MPI_REAL },
        { MPI_COMBINER_F90_REAL, 7, MPI_UNDEFINED, MPI_DOUBLE_PRECISION },
        { MPI_COMBINER_F90_REAL, MPI_UNDEFINED, 308, MPI_LONG_DOUBLE },
        { MPI_COMBINER_F90_REAL, 19, 0, LDBL_DIG < 19 ? MPI_REAL16 : MPI_LONG_DOUBLE },
        { MPI_COMBINER_F90_COMPLEX, 6, 38, MPI_DOUBLE_COMPLEX },
        { MPI_COMBINER_F90_INTEGER, 0, 9, MPI_INTEGER4 },
        { MPI_COMBINER_F90_INTEGER, 0, 10, MPI_INTEGER8 },
        { MPI_COMBINER_F90_INTEGER, 0, 19, MPI_INTEGER16 },
        { MPI_COMBINER_F90_INTEGER, 0, 38, MPI_INTEGER16 },
    };
    struct adi3_type *t = NULL, *again = NULL;

    (void) state;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        assert_int_equal(adi3_type_f90(row[i].combiner, row[i].p, row[i].r, &t), MPI_SUCCESS);
        assert_int_equal(adi3_type_f90(row[i].combiner, row[i].p, row[i].r, &again), MPI_SUCCESS);
        assert_ptr_equal(t, again);
        const struct adi3_type *like = type(row[i].like);
        bounds(t, like->size, 0, like->extent, 0, like->extent);
        assert_true(t->class == like->class && t->repr == like->repr && t->basic == t);
        assert_true(t->predefined && t->committed && t->contents->combiner == row[i].combiner);
    }
    t = NULL;
    assert_int_equal(adi3_type_f90(MPI_COMBINER_F90_INTEGER, 0, 39, &t) & ADI3_CLASS_MASK,
                     MPI_ERR_ARG);
    assert_int_equal(adi3_type_f90(MPI_COMBINER_F90_REAL, MPI_UNDEFINED, MPI_UNDEFINED, &t)
                         & ADI3_CLASS_MASK,
                     MPI_ERR_ARG);
    MPI_Datatype handle = again->handle;
    adi3_type_finalize();
    assert_true(!t && !adi3_get(&adi3_types, handle));
}

static int start(void **state)
{
    (void) state;
    return adi3_type_init();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_large_as_in_c),
        cmocka_unit_test(what_is_no_predefined_type),
        cmocka_unit_test(pairs_are_c_structs),
        cmocka_unit_test(holes_of_pairs),
        cmocka_unit_test(bounds_of_vectors),
        cmocka_unit_test(plain_or_not),
        cmocka_unit_test(empty_types),
        cmocka_unit_test(parents_may_go_first),
        cmocka_unit_test(markers),
        cmocka_unit_test(limits),
        cmocka_unit_test(levels),
        cmocka_unit_test(handles),
        cmocka_unit_test(fortran_kinds),
    };

    return UNIT_RUN_BETWEEN(tests, start, NULL);
}
