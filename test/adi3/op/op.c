/* op.c — every predefined operation on every representation, against a plain model; which types
 * an operation takes; how the user's function is called. */
#include <float.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include "unit.h"
#include "adi3/adi3.h"

/* Bytes of a long double that hold something. */
enum { LONG = LDBL_MANT_DIG == 64 ? 10 : sizeof(long double) };

enum kind { SIGNED, UNSIGNED, REAL, COMPLEX, PAIR };

/* part: bytes of one number; at: where the second one of a pair or a complex number is. */
static const struct shape {
    enum adi3_repr repr;
    enum kind kind;
    size_t size, part, at, second;
} shapes[] = {
    { ADI3_I8, SIGNED, 1, 1, 0, 0 },
    { ADI3_I16, SIGNED, 2, 2, 0, 0 },
    { ADI3_I32, SIGNED, 4, 4, 0, 0 },
    { ADI3_I64, SIGNED, 8, 8, 0, 0 },
    { ADI3_I128, SIGNED, 16, 16, 0, 0 },
    { ADI3_U8, UNSIGNED, 1, 1, 0, 0 },
    { ADI3_U16, UNSIGNED, 2, 2, 0, 0 },
    { ADI3_U32, UNSIGNED, 4, 4, 0, 0 },
    { ADI3_U64, UNSIGNED, 8, 8, 0, 0 },
    { ADI3_F32, REAL, 4, 4, 0, 0 },
    { ADI3_F64, REAL, 8, 8, 0, 0 },
    { ADI3_F80, REAL, 16, LONG, 0, 0 },
    { ADI3_F128, REAL, 16, 16, 0, 0 },
    { ADI3_C32, COMPLEX, 8, 4, 4, 4 },
    { ADI3_C64, COMPLEX, 16, 8, 8, 8 },
    { ADI3_C80, COMPLEX, 32, LONG, 16, LONG },
    { ADI3_C128, COMPLEX, 32, 16, 16, 16 },
    { ADI3_P_F32_I32, PAIR, 8, 4, 4, 4 },
    { ADI3_P_F64_I32, PAIR, 16, 8, 8, 4 },
    { ADI3_P_I64_I32, PAIR, 16, 8, 8, 4 },
    { ADI3_P_I32_I32, PAIR, 8, 4, 4, 4 },
    { ADI3_P_I16_I32, PAIR, 8, 2, 4, 4 },
    { ADI3_P_F80_I32, PAIR, 32, LONG, 16, 4 },
    { ADI3_P_F32_F32, PAIR, 8, 4, 4, 4 },
    { ADI3_P_F64_F64, PAIR, 16, 8, 8, 8 },
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

/* ---- numbers of the model in memory ---------------------------------------------------------- */

/* Is the number at p an integer, and of how many bytes? */
static bool whole(const struct shape *s, bool second)
{
    switch (s->repr) {
    case ADI3_P_F32_F32:
    case ADI3_P_F64_F64:
        return false;
    case ADI3_P_I64_I32:
    case ADI3_P_I32_I32:
    case ADI3_P_I16_I32:
        return true;
    default:
        return s->kind == SIGNED || s->kind == UNSIGNED || (s->kind == PAIR && second);
    }
}

#ifdef __SIZEOF_FLOAT128__
typedef __float128 quad_float;
#else
typedef long double quad_float;
#endif

static bool quad(const struct shape *s) { return s->repr == ADI3_F128 || s->repr == ADI3_C128; }

static void put(const struct shape *s, bool second, char *p, int value)
{
    size_t len = second ? s->second : s->part;
    __int128 i = value;
    float f = (float) value;
    double d = value;
    long double l = value;
    quad_float q = value;

    if (second)
        p += s->at;
    if (whole(s, second))
        memcpy(p, &i, len);
    else if (quad(s))
        memcpy(p, &q, len);
    else
        memcpy(p, len == 4 ? (void *) &f : len == 8 ? (void *) &d : (void *) &l, len);
}

static int get(const struct shape *s, bool second, const char *p)
{
    size_t len = second ? s->second : s->part;
    __int128 i = 0;
    float f = 0;
    double d = 0;
    long double l = 0;
    quad_float q = 0;

    if (second)
        p += s->at;
    if (whole(s, second)) {
        memcpy(&i, p, len);
        int shift = 128 - 8 * (int) len;
        return s->kind == UNSIGNED ? (int) i
                                   : (int) ((__int128) ((unsigned __int128) i << shift) >> shift);
    }
    if (quad(s)) {
        memcpy(&q, p, len);
        return (int) q;
    }
    memcpy(len == 4 ? (void *) &f : len == 8 ? (void *) &d : (void *) &l, p, len);
    return len == 4 ? (int) f : len == 8 ? (int) d : (int) l;
}

/* ---- the model ------------------------------------------------------------------------------- */

struct number {
    int value, second; /* the index, or the imaginary part */
};

static struct number complex_op(MPI_Op op, struct number x, struct number y)
{
    if (op == MPI_SUM)
        return (struct number) { x.value + y.value, x.second + y.second };
    return (struct number) { x.value * y.value - x.second * y.second,
                             x.value * y.second + x.second * y.value };
}

static struct number pair_op(MPI_Op op, struct number x, struct number y)
{
    int order = op == MPI_MAXLOC ? x.value - y.value : y.value - x.value;

    if (order == 0)
        return x.second < y.second ? x : y;
    return order > 0 ? x : y;
}

static int plain_op(MPI_Op op, int x, int y)
{
    switch (op) {
    case MPI_MAX:
        return x > y ? x : y;
    case MPI_MIN:
        return x < y ? x : y;
    case MPI_SUM:
        return x + y;
    case MPI_PROD:
        return x * y;
    case MPI_LAND:
        return x && y;
    case MPI_LOR:
        return x || y;
    case MPI_LXOR:
        return !x != !y;
    case MPI_BAND:
        return x & y;
    case MPI_BOR:
        return x | y;
    case MPI_BXOR:
        return x ^ y;
    default:
        fail_msg("no model of operation %x", (unsigned) op);
        return 0;
    }
}

static struct number model(MPI_Op op, enum kind kind, struct number x, struct number y)
{
    if (kind == COMPLEX)
        return complex_op(op, x, y);
    if (kind == PAIR)
        return pair_op(op, x, y);
    return (struct number) { plain_op(op, x.value, y.value), 0 };
}

/* ---- one operation, one representation, one length, one alignment ---------------------------- */

enum { LONGEST = 257, ROOM = LONGEST * 32 + 64 };

/* Small enough for sums and products to fit every representation. */
static struct number draw(const struct shape *s)
{
    int range = s->kind == PAIR ? 4 : s->kind == COMPLEX ? 5 : 12;

    if (s->kind == UNSIGNED)
        return (struct number) { (int) unit_random(16), 0 };
    return (struct number) { (int) unit_random(2 * (uint32_t) range) - range,
                             (int) unit_random(10) };
}

static void fill(const struct shape *s, struct number *n, char *p, int count)
{
    for (int i = 0; i < count; i++, p += s->size) {
        n[i] = draw(s);
        put(s, false, p, n[i].value);
        if (s->at)
            put(s, true, p, n[i].second);
    }
}

static void try_one(MPI_Op h, const struct shape *s, int count, int shift)
{
    static char in[ROOM], inout[ROOM], before[ROOM];
    static struct number x[LONGEST], y[LONGEST];
    struct adi3_type t = { .repr = s->repr, .extent = (MPI_Aint) s->size };
    char *to = inout + 16 + shift, *from = in + 16 + shift * 3;

    memset(in, 0x5a, sizeof in);
    memset(inout, 0x5a, sizeof inout);
    fill(s, x, from, count);
    fill(s, y, to, count);
    memcpy(before, in, sizeof in);
    adi3_reduce(adi3_op_builtin(h), from, to, (size_t) count, &t);

    for (int i = 0; i < count; i++) {
        const char *p = to + (size_t) i * s->size;
        struct number want = model(h, s->kind, x[i], y[i]);
        assert_int_equal(get(s, false, p), want.value);
        if (s->at)
            assert_int_equal(get(s, true, p), want.second);
        for (size_t hole = s->part; s->kind == PAIR && hole < s->at; hole++)
            assert_int_equal(p[hole], 0x5a); /* D15 */
    }
    assert_memory_equal(in, before, sizeof in);
    for (size_t i = (size_t) (to - inout) + (size_t) count * s->size; i < ROOM; i++)
        assert_int_equal(inout[i], 0x5a);
}

static void try_kinds(const MPI_Op *ops, unsigned kinds)
{
    static const int counts[] = { 0, 1, 2, 3, 5, 8, 15, 16, 17, 33, 64, 100, LONGEST };

    for (; *ops; ops++)
        for (int k = 0; k < SHAPES; k++)
            for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
                for (int shift = 0; shift < 4; shift++)
                    if (kinds & 1u << shapes[k].kind)
                        try_one(*ops, &shapes[k], counts[c], shift);
}

/* ---- tests ----------------------------------------------------------------------------------- */

static void test_order(void **state)
{
    static const MPI_Op ops[] = { MPI_MAX, MPI_MIN, 0 };

    (void) state;
    try_kinds(ops, 1u << SIGNED | 1u << UNSIGNED | 1u << REAL);
}

static void test_arithmetic(void **state)
{
    static const MPI_Op ops[] = { MPI_SUM, MPI_PROD, 0 };

    (void) state;
    try_kinds(ops, 1u << REAL | 1u << COMPLEX);
    try_kinds(ops, 1u << UNSIGNED);
}

static void test_signed_sum(void **state)
{
    static const MPI_Op ops[] = { MPI_SUM, 0 };

    (void) state;
    try_kinds(ops, 1u << SIGNED);
}

static void test_bits_and_truth(void **state)
{
    static const MPI_Op ops[] = { MPI_LAND, MPI_LOR, MPI_LXOR, MPI_BAND, MPI_BOR, MPI_BXOR, 0 };

    (void) state;
    try_kinds(ops, 1u << SIGNED | 1u << UNSIGNED);
}

static void test_truth_of_floats(void **state)
{
    static const MPI_Op ops[] = { MPI_LAND, MPI_LOR, MPI_LXOR, 0 };

    (void) state;
    try_kinds(ops, 1u << REAL);
}

/* C06: the smallest index of equal values; the few values that draw() knows make many ties. */
static void test_locations(void **state)
{
    static const MPI_Op ops[] = { MPI_MAXLOC, MPI_MINLOC, 0 };

    (void) state;
    try_kinds(ops, 1u << PAIR);
}

static void test_whole_range(void **state)
{
    struct adi3_type i64 = { .repr = ADI3_I64 }, u64 = { .repr = ADI3_U64 },
                     u8 = { .repr = ADI3_U8 }, i128 = { .repr = ADI3_I128 };
    int64_t a = INT64_MIN, b = INT64_MAX;
    uint64_t c = 1, d = UINT64_MAX;
    uint8_t e = 200, f = 100;

    (void) state;
    adi3_reduce(adi3_op_builtin(MPI_MAX), &a, &b, 1, &i64);
    assert_true(b == INT64_MAX);
    adi3_reduce(adi3_op_builtin(MPI_MAX), &c, &d, 1, &u64);
    assert_true(d == UINT64_MAX);
    adi3_reduce(adi3_op_builtin(MPI_SUM), &c, &d, 1, &u64);
    assert_true(d == 0);
    adi3_reduce(adi3_op_builtin(MPI_SUM), &e, &f, 1, &u8);
    assert_int_equal(f, (200 + 100) % 256);
    __int128 g = UINT64_MAX, h = 1, most = (__int128) 1 << 126;
    adi3_reduce(adi3_op_builtin(MPI_SUM), &g, &h, 1, &i128);
    assert_true(h == (__int128) 1 << 64);
    g = -most - most;
    adi3_reduce(adi3_op_builtin(MPI_MAX), &g, &h, 1, &i128);
    assert_true(h == (__int128) 1 << 64);
    adi3_reduce(adi3_op_builtin(MPI_MIN), &g, &h, 1, &i128);
    assert_true(h == -most - most);
}

/* Integers wrap and do not trap, at any width. */
static void test_overflow(void **state)
{
    static const enum adi3_repr repr[] = { ADI3_I16, ADI3_I32, ADI3_I64 };

    (void) state;
    for (size_t i = 0; i < sizeof repr / sizeof *repr; i++) {
        struct adi3_type t = { .repr = repr[i] };
        int64_t x = -1, y = -1;
        memset(&x, 0xff, 8);
        adi3_reduce(adi3_op_builtin(MPI_PROD), &x, &y, 1, &t);
        int64_t mask = i == 2 ? -1 : (1ll << (16 << i)) - 1;
        assert_true((y & mask) == 1);
        x = y = INT64_MAX & mask >> (i < 2);
        adi3_reduce(adi3_op_builtin(MPI_SUM), &x, &y, 1, &t);
        assert_true((y & mask) == (mask - 1));
    }
}

/* C05: a true LOGICAL is whatever is not 0, and the result is 1. */
static void test_truth(void **state)
{
    struct adi3_type logical = { .repr = ADI3_I32, .class = ADI3_LOGICAL };
    int32_t in[4] = { -1, 2, 0, 0 }, inout[4] = { 4, 0, -1, 0 };

    (void) state;
    adi3_reduce(adi3_op_builtin(MPI_LAND), in, inout, 4, &logical);
    assert_true(inout[0] == 1 && !inout[1] && !inout[2] && !inout[3]);
    int32_t again[4] = { 4, 0, -1, 0 };
    adi3_reduce(adi3_op_builtin(MPI_LXOR), in, again, 4, &logical);
    assert_true(!again[0] && again[1] == 1 && again[2] == 1 && !again[3]);
}

/* C05: the table of §5.3.7. */
static void test_classes(void **state)
{
    enum { CI = 1, FI = 2, FP = 4, LO = 8, CX = 16, BY = 32, ML = 64, PA = 128, CH = 256 };
    static const struct {
        enum adi3_class class;
        enum adi3_repr repr;
        int bit;
    } classes[] = {
        { ADI3_C_INTEGER, ADI3_I32, CI },       { ADI3_F_INTEGER, ADI3_I32, FI },
        { ADI3_FLOATING, ADI3_F64, FP },        { ADI3_LOGICAL, ADI3_U8, LO },
        { ADI3_COMPLEX, ADI3_C64, CX },         { ADI3_BYTE, ADI3_U8, BY },
        { ADI3_MULTI_LANGUAGE, ADI3_I64, ML },  { ADI3_PAIR, ADI3_P_F64_I32, PA },
        { ADI3_CHARACTER, ADI3_REPR_NONE, CH }, { ADI3_NO_CLASS, ADI3_I8, 0 },
        { ADI3_NO_CLASS, ADI3_REPR_NONE, 0 },
    };
    static const struct {
        MPI_Op op;
        int takes, more; /* more: not by the standard */
    } ops[] = {
        { MPI_MAX, CI | FI | FP | ML, CH },
        { MPI_MIN, CI | FI | FP | ML, CH },
        { MPI_SUM, CI | FI | FP | CX | ML, CH },
        { MPI_PROD, CI | FI | FP | CX | ML, CH },
        { MPI_LAND, CI | LO, FI | FP | ML | CH },
        { MPI_LOR, CI | LO, FI | FP | ML | CH },
        { MPI_LXOR, CI | LO, FI | FP | ML | CH },
        { MPI_BAND, CI | FI | BY | ML, CH },
        { MPI_BOR, CI | FI | BY | ML, CH },
        { MPI_BXOR, CI | FI | BY | ML, CH },
        { MPI_MAXLOC, PA, 0 },
        { MPI_MINLOC, PA, 0 },
        { MPI_REPLACE, 0, 0 },
        { MPI_NO_OP, 0, 0 },
    };

    (void) state;
    for (size_t o = 0; o < sizeof ops / sizeof *ops; o++)
        for (size_t c = 0; c < sizeof classes / sizeof *classes; c++) {
            struct adi3_type t = { .class = classes[c].class, .repr = classes[c].repr };
            const struct adi3_op *op = adi3_op_builtin(ops[o].op);
            assert_non_null(op);
            assert_int_equal(op->handle, ops[o].op);
            assert_int_equal(adi3_op_takes(op, &t),
                             ((ops[o].takes | ops[o].more) & classes[c].bit) != 0);
            assert_int_equal(adi3_op_is_standard(op, &t), (ops[o].takes & classes[c].bit) != 0);
        }
}

/* Of windows: no functions of the user; MPI_REPLACE and MPI_NO_OP with all types. */
static void test_accumulates(void **state)
{
    struct adi3_op user_op = { .function = (MPI_User_function *) (uintptr_t) 1 };
    struct adi3_type real = { .class = ADI3_FLOATING, .repr = ADI3_F64 };
    struct adi3_type none = { .class = ADI3_NO_CLASS, .repr = ADI3_REPR_NONE };

    (void) state;
    assert_true(adi3_op_accumulates(adi3_op_builtin(MPI_SUM), &real));
    assert_false(adi3_op_accumulates(adi3_op_builtin(MPI_BAND), &real));
    assert_false(adi3_op_accumulates(adi3_op_builtin(MPI_SUM), &none));
    assert_true(adi3_op_accumulates(adi3_op_builtin(MPI_REPLACE), &none));
    assert_true(adi3_op_accumulates(adi3_op_builtin(MPI_NO_OP), &real));
    assert_false(adi3_op_accumulates(&user_op, &real));
}

static void test_handles(void **state)
{
    (void) state;
    assert_null(adi3_op_builtin(MPI_OP_NULL));
    assert_null(adi3_op_builtin(MPI_MAX - 1));
    assert_null(adi3_op_builtin(MPI_NO_OP + 1));
    assert_null(adi3_op_builtin(MPI_INT));
}

static struct {
    int calls;
    size_t elements;
    MPI_Datatype handle;
    char *in, *inout;
} seen;

static void user(void *in, void *inout, int *len, MPI_Datatype *type)
{
    seen.calls++;
    seen.elements += (size_t) *len;
    seen.handle = *type;
    seen.in = in;
    seen.inout = inout;
    *type = MPI_DATATYPE_NULL; /* it may write its arguments */
    *len = 0;
}

/* C07: the handle is the user's; a count above INT_MAX comes in pieces, each where it lies. */
static void test_user_function(void **state)
{
    struct adi3_op op = { .function = user, .language = &adi3_c };
    struct adi3_type t = { .handle = 77, .extent = 0 };
    char in[8], inout[8];

    (void) state;
    assert_true(adi3_op_takes(&op, &t));
    adi3_reduce(&op, in, inout, 3, &t);
    assert_true(seen.calls == 1 && seen.elements == 3 && seen.handle == 77);
    assert_true(seen.in == in && seen.inout == inout);
    adi3_reduce(&op, in, inout, (size_t) INT_MAX + 5, &t);
    assert_true(seen.calls == 3 && seen.elements == 3 + (size_t) INT_MAX + 5 && seen.handle == 77);
    adi3_reduce(&op, in, inout, 0, &t);
    assert_int_equal(seen.calls, 3);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),           cmocka_unit_test(test_arithmetic),
        cmocka_unit_test(test_signed_sum),      cmocka_unit_test(test_bits_and_truth),
        cmocka_unit_test(test_truth_of_floats), cmocka_unit_test(test_locations),
        cmocka_unit_test(test_whole_range),     cmocka_unit_test(test_overflow),
        cmocka_unit_test(test_truth),           cmocka_unit_test(test_classes),
        cmocka_unit_test(test_accumulates),     cmocka_unit_test(test_handles),
        cmocka_unit_test(test_user_function),
    };

    return UNIT_RUN(tests);
}
